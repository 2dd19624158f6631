vcl 4.1;
# Varnish before an instance or a balancer: varnishd -a :8080 -f varnish.vcl. Set the backend.
# It passes by what carries X-Workspace or Authorization, so the host may have CDN_BYPASS=on; count it in TRUST_PROXY.
# After a deploy, what is of another build is forgotten, but for what is named by its content:
#   curl -X BAN -H "Cache-Tag: $(curl -sI http://HOST:PORT/llms.txt | sed -n 's/^cache-tag: //Ip' | tr -d '\r')" localhost:8080

import std;

backend default {
  .host = "127.0.0.1";
  .port = "4321";
  .connect_timeout = 2s;
  .first_byte_timeout = 35s;
  .probe = {
    # Not /readyz: a balancer hides it, and while the store is away the host still answers most reads.
    .url = "/healthz";
    .interval = 2s;
    .timeout = 1s;
    .window = 2;
    .threshold = 1;
    .initial = 1;
  }
}

acl operators {
  "127.0.0.1";
  "::1";
}

sub vcl_recv {
  # The host takes a target of any scheme, and Varnish itself cuts off http alone.
  set req.url = regsub(req.url, "^[A-Za-z][A-Za-z0-9+.-]*://[^/?#]*/?", "/");
  # Both tell of the inside. The host has them at their plain address alone.
  if (req.url ~ "^/(readyz|metrics)([?]|$)") {
    return (synth(404));
  }
  if (req.method == "BAN") {
    # X-Forwarded-For ends with client.ip here. With more before it, a proxy on this machine asks for somebody else.
    if (client.ip !~ operators || req.http.X-Forwarded-For != "" + client.ip ||
      req.http.Cache-Tag !~ "^careers-[0-9a-f]+$") {
      return (synth(403));
    }
    ban("obj.http.Cache-Tag != " + req.http.Cache-Tag + " && obj.http.Cache-Control !~ immutable");
    return (synth(200));
  }
  if (req.method != "GET" && req.method != "HEAD") {
    return (pass);
  }
  # Who shows something is answered for that alone. A header is one even where it is empty.
  if (req.http.X-Workspace || req.http.Authorization || req.http.X-Confirmation || req.http.X-Claim) {
    return (pass);
  }
  # For as long as stale-while-revalidate says while the host answers, and as stale-if-error says while it does not.
  if (std.healthy(req.backend_hint)) {
    set req.grace = 1d;
  }
  return (hash);
}

sub vcl_backend_response {
  if (bereq.uncacheable) {
    return (deliver);
  }
  # What is kept still is told rather than an error that came in its place.
  if (bereq.is_bgfetch && (beresp.status >= 500 || beresp.status == 429)) {
    return (abandon);
  }
  # Varnish reads Cache-Control alone; CDN-Cache-Control says what is for it (RFC 9213). What has none is not kept.
  if (beresp.http.CDN-Cache-Control ~ "^max-age=[0-9]+") {
    set beresp.ttl = std.duration(regsub(beresp.http.CDN-Cache-Control, "^max-age=([0-9]+).*", "\1s"), 0s);
    set beresp.grace = 0s;
    if (beresp.http.CDN-Cache-Control ~ "stale-if-error=[0-9]+") {
      set beresp.grace = std.duration(
        regsub(beresp.http.CDN-Cache-Control, "^.*stale-if-error=([0-9]+).*", "\1s"), 0s);
    }
  } else {
    # Nobody waits for another caller's answer where it cannot be kept.
    set beresp.uncacheable = true;
    set beresp.ttl = 60s;
    set beresp.grace = 0s;
  }
  return (deliver);
}

# What this cache answers itself has a type, as every answer of the service has one. A space stands before each closing
# brace, because a quote and a brace end a text of VCL.
sub vcl_synth {
  set resp.http.Content-Type = "application/json; charset=utf-8";
  set resp.http.Cache-Control = "no-store";
  set resp.http.Access-Control-Allow-Origin = "*";
  set resp.http.X-Content-Type-Options = "nosniff";
  if (resp.status == 200) {
    synthetic({"{"type":"OK" }"});
  } else if (resp.status == 403) {
    synthetic({"{"type":"BLOCKED","code":"forbidden","reason":"Only an operator of this cache may do this, from the machine of it." }"});
  } else if (resp.status == 404) {
    synthetic({"{"type":"EMPTY","message":"Nothing is at this address. Start at /, or read /api.md, which has every operation." }"});
  } else {
    synthetic({"{"type":"BLOCKED","code":"invalid_http","reason":"This is not a well-formed HTTP request. Send HTTP/1.1, and percent-encode the path." }"});
  }
  return (deliver);
}

sub vcl_backend_error {
  set beresp.http.Content-Type = "application/json; charset=utf-8";
  set beresp.http.Cache-Control = "no-store";
  set beresp.http.Access-Control-Allow-Origin = "*";
  set beresp.http.X-Content-Type-Options = "nosniff";
  set beresp.http.Retry-After = "2";
  synthetic({"{"type":"BLOCKED","code":"no_instance","reason":"No instance of the service answers. Send it again in a moment; with an Idempotency-Key a repeated write counts once." }"});
  return (deliver);
}
