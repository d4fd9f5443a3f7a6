package schema

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

var update = flag.Bool("update", false, "rewrite the JSON Schema files")

// kinds is every kind of line and its type.
var kinds = map[string]any{
	KindRun: Run{}, KindRequest: Request{}, KindRecord: Record{}, KindTiming: Timing{}, KindNetworkProbe: NetworkProbe{},
	KindGPUSample: GPUSample{}, KindServerSample: ServerSample{}, KindMetricRecord: MetricRecord{}, KindSummary: Summary{}, KindAggregate: Aggregate{},
}

// The files say exactly what the types say: no field is missing on either side.
func TestSchemaFilesAreThoseOfTheTypes(t *testing.T) {
	docs := fieldDocs(t)
	for kind, v := range kinds {
		g := generator{docs: docs, defs: map[string]any{}}
		root := g.object(reflect.TypeOf(v), kind)
		root["$schema"] = "https://json-schema.org/draft/2020-12/schema"
		root["title"] = kind
		if len(g.defs) > 0 {
			root["$defs"] = g.defs
		}
		var want bytes.Buffer
		enc := json.NewEncoder(&want)
		enc.SetEscapeHTML(false)
		enc.SetIndent("", "  ")
		if err := enc.Encode(root); err != nil {
			t.Fatal(err)
		}
		file := kind + ".schema.json"
		if *update {
			if err := os.WriteFile(file, want.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		got, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want.Bytes()) {
			t.Errorf("%s is not what the type says (go test ./schema -update, and look at the difference)", file)
		}
	}
	files, _ := filepath.Glob("*.schema.json")
	if len(files) != len(kinds) {
		t.Errorf("%d files for %d kinds", len(files), len(kinds))
	}
	source, err := os.ReadFile("schema.go")
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(source), "\tKind"); n != len(kinds) {
		t.Errorf("%d kinds are named in schema.go, %d are tested", n, len(kinds))
	}
}

// A generator makes JSON Schema of Go types.
type generator struct {
	docs map[string]string // of "Type" and "Type.Field"
	defs map[string]any
}

func (g generator) object(typ reflect.Type, kind string) map[string]any {
	props, required := map[string]any{}, []string{}
	for i := range typ.NumField() {
		f := typ.Field(i)
		name, opts, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "-" {
			continue
		}
		s := g.schema(f.Type)
		if name == "kind" && kind != "" {
			s = map[string]any{"const": kind}
		}
		if strings.Contains(opts, "omitempty") || strings.Contains(opts, "omitzero") {
			s = orNull(s) // AIPerf writes null for some of what is absent
		} else {
			required = append(required, name)
		}
		if d := g.docs[typ.Name()+"."+f.Name]; d != "" && name != "kind" {
			s["description"] = d
		}
		props[name] = s
	}
	o := map[string]any{"type": "object", "properties": props, "required": required}
	if d := g.docs[typ.Name()]; d != "" {
		o["description"] = d
	}
	return o
}

func (g generator) schema(typ reflect.Type) map[string]any {
	switch typ {
	case reflect.TypeFor[json.RawMessage]():
		return map[string]any{}
	case reflect.TypeFor[[]byte]():
		return map[string]any{"type": "string", "contentEncoding": "base64"}
	case reflect.TypeFor[Read]():
		return map[string]any{"type": "array", "items": map[string]any{"type": "integer"}, "minItems": 3, "maxItems": 3,
			"description": "[end, perf_ns, read_ns]"}
	}
	switch typ.Kind() {
	case reflect.Pointer:
		return g.schema(typ.Elem())
	case reflect.String:
		return map[string]any{"type": "string"}
	case reflect.Bool:
		return map[string]any{"type": "boolean"}
	case reflect.Int, reflect.Int64:
		return map[string]any{"type": "integer"}
	case reflect.Float64:
		return map[string]any{"type": "number"}
	case reflect.Slice:
		return map[string]any{"type": "array", "items": g.schema(typ.Elem())}
	case reflect.Array:
		return map[string]any{"type": "array", "items": g.schema(typ.Elem()), "minItems": typ.Len(), "maxItems": typ.Len()}
	case reflect.Map:
		return map[string]any{"type": "object", "additionalProperties": g.schema(typ.Elem())}
	case reflect.Struct:
		if _, ok := g.defs[typ.Name()]; !ok {
			g.defs[typ.Name()] = nil
			g.defs[typ.Name()] = g.object(typ, "")
		}
		return map[string]any{"$ref": "#/$defs/" + typ.Name()}
	}
	panic(fmt.Sprintf("no JSON Schema for %v", typ))
}

func orNull(s map[string]any) map[string]any {
	switch {
	case s["type"] != nil:
		s["type"] = []any{s["type"], "null"}
	case s["$ref"] != nil:
		return map[string]any{"anyOf": []any{s, map[string]any{"type": "null"}}}
	}
	return s
}

// fieldDocs is the comments of the types and their fields, on one line each.
func fieldDocs(t *testing.T) map[string]string {
	t.Helper()
	docs := map[string]string{}
	flat := func(g *ast.CommentGroup) string { return strings.Join(strings.Fields(g.Text()), " ") }
	files, _ := filepath.Glob("*.go")
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			decl, ok := d.(*ast.GenDecl)
			if !ok || decl.Tok != token.TYPE {
				continue
			}
			for _, s := range decl.Specs {
				typ := s.(*ast.TypeSpec)
				docs[typ.Name.Name] = flat(decl.Doc)
				if st, ok := typ.Type.(*ast.StructType); ok {
					for _, field := range st.Fields.List {
						for _, n := range field.Names {
							docs[typ.Name.Name+"."+n.Name] = strings.TrimSpace(flat(field.Doc) + " " + flat(field.Comment))
						}
					}
				}
			}
		}
	}
	return docs
}

func compiled(t *testing.T, kind string) *jsonschema.Schema {
	t.Helper()
	s, err := jsonschema.NewCompiler().Compile(kind + ".schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// AIPerf's own lines are lines of the kind they are read as, but for the kind itself.
func TestAIPerfsLinesValidate(t *testing.T) {
	for base, kind := range map[string]string{
		"profile_export_raw.jsonl":             KindRecord,
		"profile_export.jsonl":                 KindMetricRecord,
		"gpu_telemetry_export.jsonl":           KindGPUSample,
		"profile_export_network_latency.jsonl": KindNetworkProbe,
		"server_metrics_export.jsonl":          KindServerSample,
	} {
		s := compiled(t, kind)
		files, _ := filepath.Glob("../testdata/peer/aiperf-0.13.0/*/" + base)
		lines := 0
		for _, file := range files {
			b, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for line := range bytes.Lines(b) {
				v, err := jsonschema.UnmarshalJSON(bytes.NewReader(line))
				if err != nil {
					t.Fatal(err)
				}
				v.(map[string]any)["kind"] = kind
				if err := s.Validate(v); err != nil {
					t.Fatalf("%s: %v", file, err)
				}
				lines++
			}
		}
		if lines == 0 {
			t.Errorf("no lines of %s", base)
		}
	}
}

// A line with every field filled validates, and reads back as it was; one without its kind, or with
// a number where a text belongs, does not validate.
func TestEveryKindValidates(t *testing.T) {
	for kind, v := range kinds {
		s := compiled(t, kind)
		full := reflect.New(reflect.TypeOf(v))
		fill(full.Elem())
		full.Elem().FieldByName("Kind").SetString(kind)
		b, err := json.Marshal(full.Interface())
		if err != nil {
			t.Fatal(err)
		}
		doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(b))
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Validate(doc); err != nil {
			t.Errorf("%s: %v", kind, err)
		}
		back := reflect.New(reflect.TypeOf(v))
		if err := json.Unmarshal(b, back.Interface()); err != nil || !reflect.DeepEqual(back.Interface(), full.Interface()) {
			t.Errorf("%s does not read back as it was written: %v", kind, err)
		}
		object := doc.(map[string]any)
		object["unknown_field"] = 1
		if err := s.Validate(object); err != nil {
			t.Errorf("%s: an unknown field is refused: %v", kind, err)
		}
		object["kind"] = "other"
		if s.Validate(object) == nil {
			t.Errorf("%s: another kind validates", kind)
		}
		delete(object, "kind")
		if s.Validate(object) == nil {
			t.Errorf("%s: a line without a kind validates", kind)
		}
	}
	wrong, _ := jsonschema.UnmarshalJSON(strings.NewReader(`{"kind":"network_probe","timestamp_ns":"1","target_host":"h","success":true}`))
	if compiled(t, KindNetworkProbe).Validate(wrong) == nil {
		t.Error("a text validates as a timestamp")
	}
}

// fill gives every field a value that is not zero.
func fill(v reflect.Value) {
	switch v.Interface().(type) {
	case json.RawMessage:
		v.SetBytes([]byte(`{"a":1}`))
		return
	case []byte:
		v.SetBytes([]byte{0xff, 1})
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem())
	case reflect.String:
		v.SetString("x")
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int64:
		v.SetInt(1796014433364452862)
	case reflect.Float64:
		v.SetFloat(0.5)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fill(v.Index(0))
	case reflect.Array:
		for i := range v.Len() {
			fill(v.Index(i))
		}
	case reflect.Map:
		e := reflect.New(v.Type().Elem()).Elem()
		fill(e)
		k := reflect.New(v.Type().Key()).Elem()
		fill(k)
		v.Set(reflect.MakeMap(v.Type()))
		v.SetMapIndex(k, e)
	case reflect.Struct:
		for i := range v.NumField() {
			fill(v.Field(i))
		}
	}
}
