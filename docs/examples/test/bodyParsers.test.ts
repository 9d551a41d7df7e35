import { createServer, type RequestListener } from "node:http"
import type { AddressInfo } from "node:net"
import { describe, expect, it } from "@effect/vitest"
import { createParley, type LogEntry, type Parley } from "@parley/embed"
import { sandbox } from "@parley/embed/sandbox"
import express from "express"
import Fastify from "fastify"
import { firstKey } from "../firstKey.js"

/** Sends through a service that is made of a Parley, and what was logged meanwhile. */
const sentThrough = async (makeService: (parley: Parley) => Promise<RequestListener>, body: string) => {
  const logged: Array<LogEntry> = []
  const parley = await createParley({
    storage: { url: "sqlite::memory:" },
    channels: [sandbox()],
    logger: (entry) => void logged.push(entry),
    mountPath: "/messaging"
  })
  const server = createServer(await makeService(parley))
  await new Promise<void>((resume) => server.listen(0, "127.0.0.1", resume))
  try {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/messaging/api/v1/messages`
    const response = await fetch(url, {
      method: "POST",
      headers: {
        authorization: `Bearer ${await firstKey(parley)}`,
        "content-type": "application/json",
        "idempotency-key": "once"
      },
      body
    })
    return { status: response.status, text: await response.text(), logged }
  } finally {
    server.close()
    await parley.close()
  }
}

const inExpress =
  (parser: express.RequestHandler) =>
  async ({ listener }: Parley): Promise<RequestListener> =>
    express().use(parser).use("/messaging", listener)

const send = (message: string) =>
  JSON.stringify({ channel: "email", to: "ada@example.com", type: "text", message: { body: message } })

describe("a body parser in front of parley", () => {
  for (const [name, parser] of [
    ["express.json()", express.json()],
    ["express.raw()", express.raw({ type: "*/*" })],
    ["express.text()", express.text({ type: "*/*" })],
    [
      "one that keeps the bytes",
      express.json({ verify: (request, _response, bytes) => Object.assign(request, { rawBody: bytes }) })
    ]
  ] as const) {
    it(`is compensated: ${name}`, async () => {
      const { logged, status } = await sentThrough(inExpress(parser), send("Grüße"))
      expect([status, logged]).toEqual([202, []])
    })
  }

  it("leaves other content types to parley", async () => {
    const { status, text } = await sentThrough(inExpress(express.json({ type: "application/other" })), "no JSON")
    expect(status).toBe(400)
    expect(JSON.parse(text).error.code).toBe("bad_request")
  })

  it("applies the body limit of parley too", async () => {
    const large = inExpress(express.json({ limit: "10mb" }))
    expect((await sentThrough(large, send("x".repeat(2_000_000)))).status).toBe(413)
  })

  it("logs how to fix a parser that leaves no body", async () => {
    const fastify = async ({ listener }: Parley): Promise<RequestListener> => {
      const app = Fastify()
      app.all("/messaging/*", (request, reply) => {
        reply.hijack()
        listener(request.raw, reply.raw)
      })
      await app.ready()
      return (request, response) => app.routing(request, response)
    }
    const { logged, status } = await sentThrough(fastify, send("Hi"))
    expect(status).toBe(500)
    expect(logged).toMatchObject([
      { level: "error", error: expect.stringContaining("Mount Parley before any body parser") }
    ])
  })
})
