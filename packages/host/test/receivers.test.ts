import { once } from "node:events"
import { readFileSync } from "node:fs"
import { createServer } from "node:http"
import { createServer as createSecureServer } from "node:https"
import { type AddressInfo, createServer as createSocketServer, type Server, type Socket } from "node:net"
import { describe, expect, it, vi } from "@effect/vitest"
import { type Parley, ParleyError } from "../src/index.js"
import { makeShop, withParley } from "./shop.js"

const fixture = (name: string) => readFileSync(new URL(`../../node/test/fixtures/${name}`, import.meta.url))

/** Runs a test while this server listens. */
const withReceiver = async (server: Server, scheme: "http" | "https", test: (url: string) => Promise<void>) => {
  const sockets = new Set<Socket>()
  server.on("connection", (socket) => {
    sockets.add(socket)
    socket.on("error", () => {})
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  try {
    await test(`${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}/hook`)
  } finally {
    server.close()
    for (const socket of sockets) socket.destroy()
  }
}

/** A server that repeats `more` as fast as the client reads. */
const pouring = (first: string, more: string) =>
  createSocketServer((socket) => {
    socket.once("data", async () => {
      socket.write(first)
      while (!socket.destroyed) {
        if (!socket.write(more)) await Promise.race([once(socket, "drain"), once(socket, "close")]).catch(() => {})
      }
    })
  })

/** The attempt of a test delivery to this URL. */
const attemptAt = async ({ admin }: Parley, applicationId: string, url: string) => {
  const post = async (path: string, body?: object) =>
    (await admin.request<{ data: { id: string } }>("POST", path, body)).data
  const endpoint = await post(`/applications/${applicationId}/webhook-endpoints`, { url, events: ["*"] })
  const { id } = await post(`/webhook-endpoints/${endpoint.id}/test`)
  return vi.waitFor(
    async () => {
      const { data } = await admin.request<{ data: any }>("GET", `/webhook-deliveries/${id}`)
      expect(data.status).not.toBe("pending")
      return data
    },
    { timeout: 60_000, interval: 20 }
  )
}

const failed = (attempt: { readonly status: number | null; readonly error: string | null; readonly answer: unknown }) =>
  expect.objectContaining({ status: "failed", attempt_count: 1, attempts: [expect.objectContaining(attempt)] })
const unanswered = (error: string) => failed({ status: null, error, answer: null })

describe("a misbehaving receiver is recorded as an attempt with a reason", () => {
  const redirect = { location: "http://169.254.169.254/latest/meta-data/" }
  for (const [what, scheme, server, outcome] of [
    [
      "redirects to a metadata address",
      "http",
      () => createServer((_, response) => response.writeHead(302, redirect).end("moved")),
      failed({ status: 302, error: null, answer: "moved" })
    ],
    [
      "sends a gigabyte",
      "http",
      () => pouring("HTTP/1.1 500 Oh\r\ncontent-length: 1073741824\r\n\r\n", "a".repeat(65_536)),
      failed({ status: 500, error: null, answer: "a".repeat(4_096) })
    ],
    [
      "never ends its headers",
      "http",
      () => pouring("HTTP/1.1 200 OK\r\n", `x-more: ${"a".repeat(1_000)}\r\n`),
      unanswered("answer headers too large")
    ],
    [
      "closes at once",
      "http",
      () => createSocketServer((socket) => socket.destroy()),
      unanswered("connection closed before the answer was complete")
    ],
    [
      "has an untrusted certificate",
      "https",
      () => createSecureServer({ cert: fixture("certificate.pem"), key: fixture("key.pem") }),
      unanswered("TLS certificate is not from a trusted authority")
    ]
  ] as const) {
    it(`if it ${what}`, () =>
      withParley({ webhooks: { allow: ["127.0.0.0/8"], allowHttp: true } }, async (parley) => {
        const { applicationId } = await makeShop(parley)
        await withReceiver(server(), scheme, async (url) => {
          expect(await attemptAt(parley, applicationId, url)).toEqual(outcome)
        })
      }))
  }
})

describe("the registration of a webhook endpoint", () => {
  const good = { url: "https://hooks.example.com/in", events: ["message.received"] }
  const address = "must be at a public address"
  const wrong: ReadonlyArray<readonly [object, { readonly [field: string]: string | RegExp }]> = [
    [{ url: "http://hooks.example.com/" }, { url: "must be an https URL" }],
    [{ url: "hooks.example.com" }, { url: "must be an https URL" }],
    [{ url: "https://me:hunter2@hooks.example.com/" }, { url: "must be without a user name and password" }],
    [{ url: "https://hooks.example.com:0/" }, { url: "must be on another port than 0 and 25" }],
    [{ url: "https://hooks.example.com:25/" }, { url: "must be on another port than 0 and 25" }],
    [{ url: `https://hooks.example.com/${"a".repeat(2_048)}` }, { url: /^must be at most 2,?048 characters$/ }],
    [{ url: "https://10.0.0.1/" }, { url: address }],
    [{ url: "https://2130706433/" }, { url: address }],
    [{ url: "https://0177.0.0.1./" }, { url: address }],
    [{ url: "https://169.254.169.254/" }, { url: address }],
    [{ url: "https://[fd00:ec2::254]/" }, { url: address }],
    [{ url: "https://[::ffff:10.0.0.1]/" }, { url: address }],
    [{ events: ["message.exploded"] }, { "events.0": /^must be one of message\.received/ }],
    [{ events: [] }, { events: "must have 1 to 100 items" }],
    [
      { url: "http://hooks.example.com/", events: ["*", "nothing"] },
      { url: "must be an https URL", "events.1": /^must be one of/ }
    ]
  ]

  it("is rejected with all problems at once, without the submitted values", () =>
    withParley({}, async (parley) => {
      const { applicationId } = await makeShop(parley)
      const register = (input: object) =>
        parley.admin.request("POST", `/applications/${applicationId}/webhook-endpoints`, { ...good, ...input })
      await register({})
      for (const [input, message] of wrong) {
        const refusal = await register(input).catch((error: unknown) => error)
        expect(refusal, JSON.stringify(input)).toBeInstanceOf(ParleyError)
        const { code, details, status } = refusal as ParleyError
        expect([status, code]).toEqual([422, "validation_failed"])
        const expected = Object.entries(message).map(([field, its]) => [field, [expect.stringMatching(its)]])
        expect(details, JSON.stringify(input)).toEqual(Object.fromEntries(expected))
        expect(JSON.stringify(details)).not.toMatch(/hooks\.example|hunter2|exploded|nothing/)
      }
    }))
})
