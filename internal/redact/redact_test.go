package redact

import "testing"

func TestSecretNames(t *testing.T) {
	for _, name := range []string{"Authorization", "proxy-authorization", "x-api-key", "api-key", "ocp-apim-subscription-key", "x-goog-api-key",
		"x-functions-key", "aeg-sas-key", "x-amz-security-token", "cookie", "set-cookie", "x-auth-token", "x-access-token", "x-session-token",
		"x-csrf-token", "x-xsrf-token", "X-Session-Affinity", "my-passwd", "X-Signature", "private-key"} {
		if h := Headers(map[string]string{name: "v"}); h[name] != Mark {
			t.Errorf("%s is written", name)
		}
	}
	for _, name := range []string{"User-Agent", "X-Request-ID", "Accept", "Content-Type", "X-Correlation-ID"} {
		if h := Headers(map[string]string{name: "v"}); h[name] != "v" {
			t.Errorf("%s is hidden", name)
		}
	}
}

func TestValue(t *testing.T) {
	for _, tt := range []struct {
		name, flag, in, want string
	}{
		{"a key is hidden", "api-key", "sk", Mark},
		{"a count of tokens is not", "use-server-token-count", "true", "true"},
		{"a number of sessions is not", "num-sessions", "4", "4"},
		{"a header keeps its name", "header", "Authorization: Bearer x", "Authorization:" + Mark},
		{"an ordinary header stays", "header", "X-Team: a", "X-Team: a"},
		{"a header in JSON", "header", `{"x-api-key":"sk"}`, `{"x-api-key":"` + Mark + `"}`},
		{"user and password in a URL", "url", "https://u:p@h:8/v1", "https://" + Mark + "@h:8/v1"},
		{"a header behind another one", "header", "X-Team: a,Authorization: Bearer x", "X-Team: a,Authorization:" + Mark},
		{"a secret with commas in it", "header", "Cookie: a=1,b=2,X-Team: c", "Cookie:" + Mark + ",X-Team: c"},
		{"a secret that looks like a URL", "header", "Authorization: Basic http://x", "Authorization:" + Mark},
		{"several URLs", "url", "http://u:p@a,http://u:p@b:80", "http://" + Mark + "@a,http://" + Mark + "@b:80"},
		{"a URL that does not parse", "url", "http://u:p%w@h", "http://" + Mark},
		{"a key in a query", "url", "https://h/v1?key=x", "https://h/v1?key=" + Mark},
		{"an ordinary URL stays", "url", "http://h:8000/v1?a=b", "http://h:8000/v1?a=b"},
	} {
		if got := Value(tt.flag, tt.in); got != tt.want {
			t.Errorf("%s: %v, want %s", tt.name, got, tt.want)
		}
	}
}

func TestAListIsHiddenItemByItem(t *testing.T) {
	got, _ := Value("header", []string{"Authorization: Bearer x", "X-Team: a,b"}).([]string)
	if len(got) != 2 || got[0] != "Authorization:"+Mark || got[1] != "X-Team: a,b" {
		t.Errorf("%q", got)
	}
}
