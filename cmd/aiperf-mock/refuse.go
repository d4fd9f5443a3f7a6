package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
)

// A refusal is an answer that is no answer, in the shape that vLLM and OpenAI share.
type refusal struct {
	status  int
	kind    string
	param   *string
	message string
}

func (r *refusal) Error() string { return r.message }

func refuse(param, format string, args ...any) *refusal {
	r := &refusal{status: http.StatusBadRequest, kind: "BadRequestError", message: fmt.Sprintf(format, args...)}
	if param != "" {
		r.param = &param
	}
	return r
}

func noSuchModel(name string, known string) *refusal {
	r := refuse("model", "The model `%s` does not exist. Valid aliases: %s.", name, known)
	r.status, r.kind = http.StatusNotFound, "NotFoundError"
	return r
}

func (r *refusal) body() []byte {
	type detail struct {
		Message string  `json:"message"`
		Type    string  `json:"type"`
		Param   *string `json:"param"`
		Code    int     `json:"code"`
	}
	b, _ := json.Marshal(map[string]detail{"error": {r.message, r.kind, r.param, r.status}}) // strings and a number
	return b
}

// injected is the refusal of --error-rate.
func injected() *refusal {
	return &refusal{status: http.StatusInternalServerError, kind: "InternalServerError", message: "injected by --error-rate"}
}

// detail is what FastAPI's router says itself, before the server has a word.
func detail(w http.ResponseWriter, status int, text string) {
	b, _ := json.Marshal(map[string]string{"detail": text})
	writeJSON(w, status, b)
}

func writeJSON(w http.ResponseWriter, status int, body []byte) error {
	return writeBody(w, status, "application/json", body)
}

func writeBody(w http.ResponseWriter, status int, contentType string, body []byte) error {
	h := w.Header()
	h["Content-Type"] = []string{contentType}
	h["Content-Length"] = []string{strconv.Itoa(len(body))}
	w.WriteHeader(status)
	_, err := w.Write(body)
	return err
}
