#!/usr/bin/env python3
"""A worker for Countersign, with nothing but Python's standard library.

It waits for tasks of one queue, does them, and hands in what it made. Nothing is polled: the server says when something
waits. A worker can be killed at any moment: its task goes to the next one when the lease runs out.

    WORKER_TOKEN   an API token with the role operator (required)
    WORKER_URL     where the server is        (http://127.0.0.1:8080)
    WORKER_QUEUE   which tasks to take        (payments)
    WORKER_NAME    how people see this worker (the host's name and the process's number)
"""

import json
import os
import socket
import sys
import threading
import time
import traceback
import urllib.error
import urllib.request

URL = os.environ.get("WORKER_URL", "http://127.0.0.1:8080").rstrip("/") + "/graphql"
TOKEN = os.environ.get("WORKER_TOKEN", "")
QUEUE = os.environ.get("WORKER_QUEUE", "payments")
WORKER = os.environ.get("WORKER_NAME", f"{socket.gethostname()}-{os.getpid()}")

LEASE_SECONDS = 15  # How soon somebody else gets the task of a worker that died.
BEAT_SECONDS = 5  # Well below the lease: two beats may be lost.
SILENCE_SECONDS = 60  # The server says something every 15 seconds (`keep-alive`); after this it is gone.


# The work. This is the part to replace.


class Refused(Exception):
    """Trying again would not help."""


def work(task, report):
    """Does a task and returns the step's output. `report` tells how far it is and stops work that nobody wants."""
    order = task["input"]["order"]
    if not order:
        raise Refused("`order` is empty: there is nothing to pay back")
    for second in range(1, 11):
        time.sleep(1)
        report(second / 10, f"{second} of 10 for order {order}")
    # Whatever must not happen twice gets the task's key, so that the other side can tell.
    return {"receipt": f"R-{order}", "key": task["idempotencyKey"]}


# Talking to the server.


def request(query, variables, accept, timeout):
    body = json.dumps({"query": query, "variables": variables}).encode()
    headers = {"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json", "Accept": accept}
    return urllib.request.urlopen(urllib.request.Request(URL, body, headers), timeout=timeout)


def check(answer):
    """Stops at errors that are not about one input."""
    for error in answer.get("errors", []):
        if error["extensions"]["code"] in ("UNAUTHENTICATED", "FORBIDDEN"):
            sys.exit(f"the token does not do: {error['message']}")
        raise RuntimeError(error["message"])


def mutate(name, selection, fields):
    """Runs a mutation that takes one `input`, and returns its payload."""
    kind = name[0].upper() + name[1:]
    query = f"mutation ($input: {kind}Input!) {{ {name}(input: $input) {{ {selection} userErrors {{ code message }} }} }}"
    with request(query, {"input": fields}, "application/json", 30) as answer:
        result = json.load(answer)
    check(result)
    return result["data"][name]


def mutate_until_heard(name, selection, fields):
    """The same, again and again while the server cannot be reached: a result must not be lost."""
    while True:
        try:
            return mutate(name, selection, fields)
        except urllib.error.HTTPError:
            raise
        except OSError as error:
            log(f"cannot reach the server, trying again: {error}")
            time.sleep(2)


def waiting():
    """Tells each time that tasks wait: an event stream as in graphql-sse, one connection for one subscription."""
    query = "subscription ($queue: String!) { taskAvailable(queue: $queue) { waiting } }"
    with request(query, {"queue": QUEUE}, "text/event-stream", SILENCE_SECONDS) as stream:
        event = None
        for line in stream:
            field, _, value = line.decode().rstrip("\r\n").partition(": ")
            if field == "event":
                event = value
            elif field == "data" and event == "next":
                answer = json.loads(value)
                check(answer)
                yield answer["data"]["taskAvailable"]["waiting"]
            elif field.startswith("data") and event == "complete":
                return


# One task from its claim to its end.


class Unwanted(Exception):
    """The execution has ended, or the task is somebody else's by now."""


class Lease:
    """Keeps a task in this worker's hands: a thread of its own sends the heartbeats."""

    def __init__(self, task):
        self.names = {"taskId": task["id"], "leaseToken": task["leaseToken"]}
        self.lost = threading.Event()
        self.done = threading.Event()
        self.thread = threading.Thread(target=self.beat, daemon=True)

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.done.set()
        self.thread.join()

    def beat(self):
        while not self.done.wait(BEAT_SECONDS):
            self.send({})

    def report(self, progress=None, line=None):
        entry = {"level": "INFO", "message": line} if line else None
        self.send({"progress": progress, "log": entry})
        if self.lost.is_set():
            raise Unwanted()

    def send(self, fields):
        try:
            fields = {**self.names, "leaseSeconds": LEASE_SECONDS, **fields}
            if mutate("heartbeatTask", "cancelled", fields)["cancelled"]:
                self.lost.set()
        except OSError as error:
            log(f"a heartbeat was lost: {error}")  # The next one may come through before the lease runs out.


def do(task):
    log(f"{task['stepKey']} of {task['executionId']}, attempt {task['attempt']}: {json.dumps(task['input'])}")
    names = {"taskId": task["id"], "leaseToken": task["leaseToken"]}
    try:
        with Lease(task) as lease:
            output = work(task, lease.report)
    except Unwanted:
        log("nobody wants the result any more")
        return
    except Exception as error:
        failure = {"message": str(error) or type(error).__name__, "stack": traceback.format_exc()}
        retryable = not isinstance(error, Refused)
        answer = mutate_until_heard("failTask", "", {**names, **failure, "retryable": retryable})
        log(f"failed: {failure['message']}")
    else:
        answer = mutate_until_heard("completeTask", "", {**names, "output": output})
        log("done")
    # EXPIRED: the lease was lost, or this was sent twice because the first answer did not arrive.
    for error in answer["userErrors"]:
        log(f"the server did not take it: {error['message']}")


def drain():
    """Does what waits, until nothing does."""
    claim = {"queue": QUEUE, "max": 1, "leaseSeconds": LEASE_SECONDS, "workerId": WORKER}
    selection = "tasks { id leaseToken executionId stepKey attempt idempotencyKey input }"
    while True:
        claimed = mutate("claimTasks", selection, claim)
        for error in claimed["userErrors"]:
            raise RuntimeError(error["message"])
        if not claimed["tasks"]:
            return
        do(claimed["tasks"][0])


def log(text):
    print(time.strftime("%H:%M:%S"), text, flush=True)


def main():
    if not TOKEN:
        sys.exit("WORKER_TOKEN is not set: `countersign token create --role operator --name worker` prints one")
    log(f"{WORKER} waits for tasks of the queue `{QUEUE}` at {URL}")
    while True:
        try:
            for _ in waiting():
                drain()
            log("the stream has ended, connecting again")
        except urllib.error.HTTPError as error:
            if error.code in (401, 403):
                sys.exit(f"the server refuses the token: {error}")
            log(f"the server answered {error}, trying again")
        except (OSError, RuntimeError) as error:
            log(f"{error}, trying again")
        time.sleep(1)


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit(130)
