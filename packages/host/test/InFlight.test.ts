import { createServer, request, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { makeInFlight } from "../src/InFlight.js"

it("a response whose client left before it is passed on is not in progress", async () => {
  const server = createServer()
  await new Promise<void>((resume) => server.listen(0, "127.0.0.1", resume))
  const response = await new Promise<ServerResponse>((resume) => {
    server.once("request", (_, response) => {
      response.once("close", () => setImmediate(() => resume(response)))
      client.destroy()
    })
    const client = request({ port: (server.address() as AddressInfo).port }).on("error", () => {})
    client.end()
  })
  const inFlight = makeInFlight()
  inFlight.addResponse(response)
  inFlight.stop()
  await Effect.runPromise(inFlight.ended)
  expect(inFlight.accepts()).toBe(false)
  server.close()
})
