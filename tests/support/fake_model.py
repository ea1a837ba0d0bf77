"""A server that speaks OpenAI's chat completions, or misbehaves as it is told."""
import json
import socket
import threading


def chunk(delta, finish=None):
    return {"choices": [{"index": 0, "delta": delta, "finish_reason": finish}]}


def text_answer(text):
    return [chunk({"role": "assistant", "content": piece}) for piece in text.split(" ") for piece in (piece + " ",)] + [
        chunk({}, "stop"), {"choices": [], "usage": {"prompt_tokens": 9, "completion_tokens": 5, "total_tokens": 14}}]


def call_answer(*calls):
    """`calls`: (id, name, arguments as text)."""
    return [chunk({"tool_calls": [{"index": i, "id": call_id, "type": "function",
                                   "function": {"name": name, "arguments": arguments}}]})
            for i, (call_id, name, arguments) in enumerate(calls)] + [chunk({}, "tool_calls")]


class FakeModel:
    """`answers` are given one after the other, the last one for ever. An answer is a list of chunks (streamed), bytes
    (sent as they are, then the connection ends), None (nothing is ever sent), or a function from the request to one of
    these."""

    def __init__(self, *answers):
        self.answers = list(answers)
        self.requests = []
        self.keys = []
        self._server = socket.create_server(("127.0.0.1", 0))
        self.port = self._server.getsockname()[1]
        self._held = []
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def endpoint(self):
        return f"http://127.0.0.1:{self.port}/v1"

    def close(self):
        try:
            self._server.shutdown(socket.SHUT_RDWR)  # else the thread that accepts keeps it open
        except OSError:
            pass
        self._server.close()

    def _accept(self):
        while True:
            try:
                connection, _ = self._server.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection):
        data = b""
        while b"\r\n\r\n" not in data:
            piece = connection.recv(65536)
            if not piece:
                return
            data += piece
        head, body = data.split(b"\r\n\r\n", 1)
        headers = {line.split(b":", 1)[0].lower(): line.split(b":", 1)[1].strip() for line in head.split(b"\r\n")[1:]}
        size = int(headers[b"content-length"])
        while len(body) < size:
            body += connection.recv(65536)
        request = json.loads(body)
        self.requests.append(request)
        self.keys.append(headers.get(b"authorization", b"").decode())
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if callable(answer):
            answer = answer(request)
        if answer is None:
            self._held.append(connection)
            return
        if isinstance(answer, bytes):
            connection.sendall(answer)
        else:
            events = "".join(f"data: {json.dumps(one)}\n\n" for one in answer) + "data: [DONE]\n\n"
            connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n" +
                               events.encode())
        connection.close()
