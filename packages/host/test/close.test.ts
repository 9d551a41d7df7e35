import { createServer, request } from "node:http"
import type { AddressInfo } from "node:net"
import { describe, expect, it } from "@effect/vitest"
import { createParley } from "../src/index.js"
import { email, makeShop, quiet, sending } from "./shop.js"

describe("a closed engine", () => {
  it("finishes responses in progress, closes their connections, and accepts no requests", async () => {
    const parley = await createParley(quiet)
    const { apiKey } = await makeShop(parley)
    const server = createServer(parley.listener)
    await new Promise<void>((resume) => server.listen(0, "127.0.0.1", resume))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

    const body = JSON.stringify(email("a@acme.example"))
    const sent = request(`${url}/api/v1/messages`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${apiKey}`,
        "content-type": "application/json",
        "content-length": Buffer.byteLength(body),
        "idempotency-key": "last",
        expect: "100-continue"
      }
    })
    const answer = new Promise<{ status?: number | undefined; connection?: string | undefined }>((resume, fail) => {
      sent.on("error", fail).on("response", (response) => {
        resume({ status: response.statusCode, connection: response.headers.connection })
        response.resume()
      })
    })
    await new Promise<void>((resume) => {
      sent.on("continue", resume)
      sent.flushHeaders()
    })

    const closed = parley.close()
    const late = await fetch(`${url}/api/v1/messages/1`)
    expect(late.status).toBe(503)
    expect(late.headers.get("connection")).toBe("close")
    expect(await late.json()).toMatchObject({
      error: { code: "service_unavailable", request_id: late.headers.get("x-request-id") }
    })
    expect(await parley.readiness()).toMatchObject({ ready: false })

    sent.end(body)
    expect(await answer).toEqual({ status: 202, connection: "close" })
    await closed
    server.close()
  })

  it("finishes requests by fetch and in process", async () => {
    const parley = await createParley(quiet)
    const { apiKey } = await makeShop(parley)
    const fetched = parley.fetch(sending(apiKey, "a@acme.example"))
    const called = parley.client(apiKey).messages.send(email("b@acme.example"))
    const administered = parley.admin.request("GET", "/workspaces")
    await parley.close()
    const response = await fetched
    expect([response.status, response.headers.get("connection")]).toEqual([202, "close"])
    expect((await called).data.status).toBe("queued")
    expect(await administered).toMatchObject({ data: [{ name: "Acme" }] })
  })

  it("can be closed again, and refuses later requests", async () => {
    const parley = await createParley(quiet)
    const { apiKey } = await makeShop(parley)
    expect(parley.close()).toBe(parley.close())
    await parley.close()
    await parley.close()
    expect((await parley.fetch(sending(apiKey, "a@acme.example"))).status).toBe(503)
    await expect(parley.admin.request("GET", "/workspaces")).rejects.toMatchObject({ code: "service_unavailable" })
  })
})
