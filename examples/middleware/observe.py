import json
import time


class Observe:
    """Appends what the service receives and sends to a log that `choros monitor` reads."""

    def __init__(self, app, path, me="s", peer="c"):
        self.app, self.me, self.peer, self.count = app, me, peer, 0
        self.log = open(path, "a", buffering=1)

    def write(self, dir, op, number, body):
        ends = (self.peer, self.me) if dir == "recv" else (self.me, self.peer)
        try:
            data = json.loads(body or b"{}")
        except ValueError:
            data = {}
        line = {"at": int(time.time() * 1000), "by": self.me, "dir": dir, "from": ends[0], "to": ends[1],
                "op": op, "id": str(number), "data": data}
        self.log.write(json.dumps(line) + "\n")

    async def __call__(self, scope, receive, send):
        if scope["type"] != "http":
            return await self.app(scope, receive, send)
        self.count += 1
        number, op, asked, answered = self.count, scope["path"].rsplit("/", 1)[-1], [], []

        async def hear():
            message = await receive()
            if message["type"] == "http.request":
                asked.append(message.get("body", b""))
                if not message.get("more_body"):
                    self.write("recv", op, number, b"".join(asked))
            return message

        async def say(message):
            if message["type"] == "http.response.body":
                answered.append(message.get("body", b""))
                if not message.get("more_body"):
                    self.write("send", op + "Response", number, b"".join(answered))
            await send(message)

        await self.app(scope, hear, say)
