package transport

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strings"
	"syscall"

	"aiperf/schema"
)

// Types of failures, named as AIPerf names them (its HTTP library's exception classes).
const (
	TypeConnect    = "ClientConnectorError"            // no connection: refused, unreachable, a limit of this machine
	TypeDNS        = "ClientConnectorDNSError"         // the name does not resolve
	TypeCert       = "ClientConnectorCertificateError" // TLS: the certificate was refused
	TypeTLS        = "ClientConnectorSSLError"         // TLS: anything else
	TypeReset      = "ClientOSError"                   // the connection broke
	TypeDisconnect = "ServerDisconnectedError"         // closed before an answer came
	TypePayload    = "ClientPayloadError"              // the answer was cut
	TypeResponse   = "ClientResponseError"             // the answer is not HTTP
	TypeTimeout    = "TimeoutError"                    // the total time, or the gap between bytes, was exceeded
	TypeCancelled  = "RequestCancellationError"        // by --request-cancellation-rate, the grace period, or a signal
	TypeSend       = "RequestSendTimeout"              // the body could not be written in time
)

// stage is how far a call had come when it failed.
type stage int

const (
	connecting stage = iota
	sending
	waiting // for the head
	receiving
)

func code(n int) *int { return &n }

// classify names a failure.
func classify(err error, at stage) *schema.Error {
	e := &schema.Error{Message: err.Error(), Cause: fmt.Sprintf("%T", rootOf(err))}
	var dns *net.DNSError
	var cert *tls.CertificateVerificationError
	var unknown x509.UnknownAuthorityError
	var record tls.RecordHeaderError
	var errno syscall.Errno
	hasErrno := errors.As(err, &errno)
	if hasErrno {
		e.Cause = errno.Error()
	}
	switch {
	case errors.As(err, &dns):
		e.Type = TypeDNS
	case errors.As(err, &cert), errors.As(err, &unknown):
		e.Type = TypeCert
	case errors.As(err, &record), strings.HasPrefix(err.Error(), "tls: "), strings.HasPrefix(err.Error(), "remote error: tls"):
		e.Type = TypeTLS
	case at == connecting:
		e.Type = TypeConnect
	case errors.Is(err, errMalformed):
		e.Type = TypeResponse
	case at == receiving && (errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)):
		e.Type, e.Message = TypePayload, "the answer was cut: the connection closed before its end"
	case errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF):
		e.Type, e.Message = TypeDisconnect, "the server closed the connection before it answered"
	default:
		e.Type = TypeReset
	}
	e.CauseChain = []string{e.Type}
	if hasErrno {
		name := map[syscall.Errno]string{
			syscall.ECONNREFUSED: "ConnectionRefusedError", syscall.ECONNRESET: "ConnectionResetError", syscall.EPIPE: "BrokenPipeError",
			syscall.ETIMEDOUT: "TimeoutError",
		}[errno]
		if name == "" {
			name = "OSError"
		}
		e.CauseChain = append(e.CauseChain, name)
		if fault := clientFault(errno); fault != "" {
			e.Message = "client: " + fault + ": " + e.Message
			e.Details = []byte(`{"client_side":true}`)
		}
	}
	return e
}

// clientFault names the limits of this machine, which are no fault of the server.
func clientFault(e syscall.Errno) string {
	switch e {
	case syscall.EADDRNOTAVAIL:
		return "no local port is free (connections are opened faster than the kernel gives ports back: reuse them)"
	case syscall.EMFILE, syscall.ENFILE:
		return "no file descriptor is free (raise ulimit -n)"
	case syscall.ENOBUFS, syscall.ENOMEM:
		return "the kernel is out of buffers"
	}
	return ""
}

func rootOf(err error) error {
	for {
		next := errors.Unwrap(err)
		if next == nil {
			return err
		}
		err = next
	}
}

func isTimeout(err error) bool { return errors.Is(err, os.ErrDeadlineExceeded) }
