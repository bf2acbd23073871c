package io.eley.coordinator.phases;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpContext;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpPrincipal;
import io.eley.fuzz.Input;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URISyntaxException;
import org.jspecify.annotations.Nullable;

/** A request as the JDK's server would have parsed it, and the answer to it. */
final class ScriptedExchange extends HttpExchange {
  private final String method;
  private final URI uri;
  private final Headers request = new Headers();
  private final Headers response = new Headers();
  private final InputStream body;
  private final ByteArrayOutputStream answer = new ByteArrayOutputStream();
  private int status;

  ScriptedExchange(String method, String path, String authorization, byte[] body) {
    this.method = method;
    this.body = new ByteArrayInputStream(body);
    uri = uri(path);
    // The JDK's server takes no such lines for headers.
    request.set("Authorization", authorization.replaceAll("[\r\n]", ""));
  }

  private static URI uri(String path) {
    try {
      return new URI(null, null, path.startsWith("/") ? path : "/" + path, null);
    } catch (URISyntaxException e) {
      return URI.create("/odd");
    }
  }

  int status() {
    return status;
  }

  String answer() {
    return Input.text(answer.toByteArray());
  }

  @Override
  public Headers getRequestHeaders() {
    return request;
  }

  @Override
  public Headers getResponseHeaders() {
    return response;
  }

  @Override
  public URI getRequestURI() {
    return uri;
  }

  @Override
  public String getRequestMethod() {
    return method;
  }

  @Override
  public InputStream getRequestBody() {
    return body;
  }

  @Override
  public OutputStream getResponseBody() {
    return answer;
  }

  @Override
  public void sendResponseHeaders(int code, long length) {
    status = code;
  }

  @Override
  public int getResponseCode() {
    return status;
  }

  @Override
  public void close() {}

  @Override
  public HttpContext getHttpContext() {
    throw new UnsupportedOperationException();
  }

  @Override
  public InetSocketAddress getRemoteAddress() {
    throw new UnsupportedOperationException();
  }

  @Override
  public InetSocketAddress getLocalAddress() {
    throw new UnsupportedOperationException();
  }

  @Override
  public String getProtocol() {
    return "HTTP/1.1";
  }

  @Override
  public @Nullable Object getAttribute(String name) {
    return null;
  }

  @Override
  public void setAttribute(String name, Object value) {}

  @Override
  public void setStreams(InputStream in, OutputStream out) {}

  @Override
  public @Nullable HttpPrincipal getPrincipal() {
    return null;
  }
}
