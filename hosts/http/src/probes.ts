import type { IncomingMessage, ServerResponse } from "node:http"
import type { Storage } from "@parley/core"
import { Effect, Runtime } from "effect"
import { readiness } from "parley/host"

/** Answers a request if it is one for `/healthz` or `/readyz`, and says whether it was. */
export type Probe = (request: IncomingMessage, response: ServerResponse) => boolean

/** `GET /healthz`: this process runs. `GET /readyz`: it can do its work, else 503 and why not (decisions.md §15). */
export const probes: Effect.Effect<Probe, never, Storage> = Effect.map(Effect.runtime<Storage>(), (runtime) => {
  const ready = readiness.pipe(
    Effect.as({ status: 200, body: { status: "ready" } as Readonly<Record<string, string>> }),
    Effect.catchTag("NotReady", ({ reason }) => Effect.succeed({ status: 503, body: { status: "not_ready", reason } }))
  )
  return (request, response) => {
    if (request.method !== "GET" && request.method !== "HEAD") return false
    const path = request.url?.split("?", 1)[0]
    if (path === "/healthz") send(response, 200, { status: "ok" })
    else if (path === "/readyz")
      Runtime.runCallback(runtime)(ready, {
        onExit: (exit) =>
          exit._tag === "Success"
            ? send(response, exit.value.status, exit.value.body)
            : send(response, 500, { status: "not_ready" })
      })
    else return false
    return true
  }
})

const send = (response: ServerResponse, status: number, body: Readonly<Record<string, string>>): void => {
  const text = `${JSON.stringify(body)}\n`
  response.writeHead(status, {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(text),
    "cache-control": "no-store"
  })
  response.end(text)
}
