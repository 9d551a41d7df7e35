import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { scriptedServer } from "@parley/testkit"
import { Effect, Stream } from "effect"
import { describe, expect, it } from "vitest"
import { createParley, type Parley } from "../src/index.js"
import { quiet } from "./shop.js"

const bytes = new TextEncoder()
/** Releases the second half of a file. */
let release = () => {}

/** Sends one event and never ends; or sends a file with a content length. */
const events = scriptedServer((_connection, _credentials, { path }) =>
  Effect.succeed(
    path === "/file"
      ? {
          status: 200,
          headers: { "content-type": "text/plain", "content-length": "6" },
          body: Stream.concat(
            Stream.make(bytes.encode("one")),
            Stream.fromEffect(
              Effect.async<Uint8Array>((resume) => {
                release = () => resume(Effect.succeed(bytes.encode("two")))
              })
            )
          )
        }
      : {
          status: 200,
          headers: { "content-type": "text/event-stream" },
          body: Stream.concat(Stream.make(bytes.encode("data: one\n\n")), Stream.never)
        }
  )
)

const opened = async () => {
  const parley = await createParley({ ...quiet, channels: [events], mountPath: "/messaging" })
  const made = async (path: string, body: object) =>
    (await parley.admin.request<{ data: { id: string } }>("POST", path, body)).data
  const workspace = await made("/workspaces", { name: "Acme" })
  const connection = await made("/connections", {
    workspace_id: workspace.id,
    channel: "webchat",
    provider: "server",
    name: "Site",
    handle: "acme.example",
    config: { account: "acme" },
    credentials: { secret: "secret" }
  })
  return { parley, path: `/messaging/inbound/${connection.id}/stream` }
}

const ways: ReadonlyArray<
  readonly [name: string, ask: (parley: Parley, path: string) => Promise<{ response: Response; end: () => void }>]
> = [
  [
    "its listener",
    async (parley, path) => {
      const server = createServer(parley.listener)
      await new Promise<void>((resume) => server.listen(0, "127.0.0.1", resume))
      const { port } = server.address() as AddressInfo
      return { response: await fetch(`http://127.0.0.1:${port}${path}`), end: () => server.close() }
    }
  ],
  [
    "fetch",
    async (parley, path) => ({
      response: await parley.fetch(new Request(`http://acme.example${path}`)),
      end: () => {}
    })
  ]
]

describe("an engine that serves customers itself", () => {
  for (const [name, ask] of ways) {
    it(`streams to them through ${name}, and ends the stream on close`, async () => {
      const { parley, path } = await opened()
      const { end, response } = await ask(parley, path)
      expect(response.headers.get("content-type")).toBe("text/event-stream")
      const reader = response.body?.getReader()
      const first = await reader?.read()
      expect(new TextDecoder().decode(first?.value)).toBe("data: one\n\n")
      await parley.close()
      expect((await reader?.read())?.done).toBe(true)
      end()
    })

    it(`sends them a file to its end through ${name} before it closes`, async () => {
      const { parley, path } = await opened()
      const { end, response } = await ask(parley, path.replace(/stream$/, "file"))
      const reader = response.body?.getReader()
      expect(new TextDecoder().decode((await reader?.read())?.value)).toBe("one")
      const rest = reader?.read()
      let isClosed = false
      const closed = parley.close().then(() => {
        isClosed = true
      })
      await new Promise((resume) => setTimeout(resume, 100))
      expect(isClosed).toBe(false)
      release()
      expect(new TextDecoder().decode((await rest)?.value)).toBe("two")
      expect((await reader?.read())?.done).toBe(true)
      await closed
      end()
    })
  }
})
