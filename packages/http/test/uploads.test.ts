import { expect, layer } from "@effect/vitest"
import { defaultSettings } from "@parley/core"
import { Effect } from "effect"
import { type Caller, Hosts, hosts, newCaller, reported } from "./hosts.js"

const png = (size: number) => {
  const bytes = new Uint8Array(size).map((_, index) => index % 251)
  bytes.set([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0x0d, 0x49, 0x48, 0x44, 0x52])
  return bytes
}

let keys = 0
const upload = (
  caller: Caller,
  body: string | Uint8Array | ReadableStream<Uint8Array>,
  options: { readonly type?: string; readonly query?: string; readonly key?: string } = {}
) =>
  Effect.flatMap(Hosts, ({ one }) =>
    one("POST", `/api/v1/attachments${options.query ?? ""}`, {
      token: caller.key,
      headers: { "idempotency-key": options.key ?? `upload ${++keys}`, "content-type": options.type ?? "image/png" },
      body
    })
  )
const get = (caller: Caller, id: string) =>
  Effect.flatMap(Hosts, ({ one }) => one("GET", `/api/v1/attachments/${id}`, { token: caller.key }))

/** A form in the bytes of its body. */
const form = (...files: ReadonlyArray<readonly [type: string, name: string, bytes: Uint8Array]>) => {
  const parts = files.flatMap(([type, name, bytes]) => [
    Buffer.from(
      `--edge\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: ${type}\r\n\r\n`
    ),
    bytes,
    Buffer.from("\r\n")
  ])
  const field = Buffer.from('--edge\r\nContent-Disposition: form-data; name="note"\r\n\r\nhello\r\n')
  return Buffer.concat([field, ...parts, Buffer.from("--edge--\r\n")])
}
const formType = "multipart/form-data; boundary=edge"

const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
const dataOf = ({ json }: { readonly json: unknown }) => (json as { readonly data: any }).data

/** A body in chunks, so without Content-Length. */
const inChunks = (bytes: Uint8Array, chunk = 65_536) => {
  let at = 0
  return new ReadableStream<Uint8Array>({
    pull: (controller) => {
      if (at >= bytes.length) return controller.close()
      controller.enqueue(bytes.subarray(at, at + chunk))
      at += chunk
    }
  })
}

const { maxBytes } = defaultSettings.attachments

for (const [name, live] of hosts()) {
  layer(live, { excludeTestServices: true, timeout: 60_000 })(`POST /attachments on ${name}`, (it) => {
    it.effect("stores the bytes of the body", () =>
      Effect.gen(function* () {
        const caller = yield* newCaller()
        const bytes = png(300_000)
        const answer = yield* upload(caller, bytes, { query: "?file_name=a%2Fparcel.png" })
        expect(answer.status).toBe(201)
        const data = dataOf(answer)
        expect(data).toEqual({
          ...{ id: data.id, type: "image", content_type: "image/png", file_name: "parcel.png", size: 300_000 },
          ...{ expires_at: time, created_at: time }
        })
        expect(Date.parse(data.expires_at) - Date.parse(data.created_at)).toBe(86_400_000)
        expect(dataOf(yield* get(caller, data.id))).toEqual(data)
      })
    )
    it.effect("stores the file of a form", () =>
      Effect.gen(function* () {
        const caller = yield* newCaller()
        const answer = yield* upload(caller, form(["image/png", "form.png", png(200_000)]), { type: formType })
        expect([answer.status, answer.error]).toEqual([201, null])
        expect(dataOf(answer)).toMatchObject({ content_type: "image/png", file_name: "form.png", size: 200_000 })
      })
    )
    it.effect("refuses a form without a file, with two, and one that ends early", () =>
      Effect.gen(function* () {
        const caller = yield* newCaller()
        const file = ["image/png", "a.png", png(10_000)] as const
        expect(reported(yield* upload(caller, form(), { type: formType }))).toEqual([
          422,
          "validation_failed",
          { file: ["must not be empty"] }
        ])
        expect(reported(yield* upload(caller, form(file, file), { type: formType }))).toEqual([
          422,
          "validation_failed",
          { file: ["must be given once"] }
        ])
        const cut = form(file).subarray(0, 5_000)
        expect(reported(yield* upload(caller, cut, { type: formType }))).toEqual([400, "bad_request", {}])
        expect(reported(yield* upload(caller, form(file), { type: "multipart/form-data" }))).toEqual([
          400,
          "bad_request",
          {}
        ])
      })
    )
    it.effect("refuses a file that its declared type contradicts, and an empty one", () =>
      Effect.gen(function* () {
        const caller = yield* newCaller()
        expect(reported(yield* upload(caller, png(1_000), { type: "application/pdf" }))).toEqual([
          422,
          "validation_failed",
          { file: ["is declared as application/pdf, but its bytes are image/png"] }
        ])
        expect(reported(yield* upload(caller, "plain words", { type: "image/png" }))).toEqual([
          422,
          "validation_failed",
          { file: ["is declared as image/png, but its bytes are application/octet-stream"] }
        ])
        expect(reported(yield* upload(caller, new Uint8Array()))).toEqual([
          422,
          "validation_failed",
          { file: ["must not be empty"] }
        ])
        expect(dataOf(yield* upload(caller, png(1_000), { type: "application/octet-stream" })).content_type).toBe(
          "image/png"
        )
      })
    )
    it.effect("refuses a file that is too large, with and without Content-Length", () =>
      Effect.gen(function* () {
        const caller = yield* newCaller()
        const bytes = png(maxBytes + 1)
        for (const body of [bytes, inChunks(bytes)]) {
          expect(reported(yield* upload(caller, body))).toEqual([413, "payload_too_large", {}])
        }
        const largest = yield* upload(caller, inChunks(png(maxBytes)))
        expect(dataOf(largest).size).toBe(maxBytes)
      })
    )
    it.effect("reads the body of a request with an invalid query before it answers", () =>
      Effect.gen(function* () {
        const caller = yield* newCaller()
        const [start, rest] = [inChunks(png(5_000_000)), { isRead: false }]
        const body = start.pipeThrough(
          new TransformStream<Uint8Array, Uint8Array>({
            flush: () => {
              rest.isRead = true
            }
          })
        )
        const refused = yield* upload(caller, body, { query: `?file_name=${"x".repeat(256)}` })
        expect([refused.status, rest.isRead]).toEqual([422, true])
      })
    )
    it.effect("stores a repeated request once, and refuses other bytes under its key", () =>
      Effect.gen(function* () {
        const caller = yield* newCaller()
        const first = yield* upload(caller, png(5_000), { key: "once" })
        const again = yield* upload(caller, png(5_000), { key: "once" })
        expect(again.json).toEqual(first.json)
        expect(again.headers["idempotency-replayed"]).toBe("true")
        const [status, code] = reported(yield* upload(caller, png(5_001), { key: "once" }))
        expect([status, code]).toEqual([409, "idempotency_conflict"])
        const { storage } = yield* Hosts
        const rows = yield* storage.list({
          from: "uploads",
          where: { applicationId: caller.applicationId },
          after: null,
          limit: 10
        })
        expect(rows.map(({ id }) => id)).toEqual([dataOf(first).id])
      })
    )
    it.effect("shows no upload of another application, and needs the scope that sends", () =>
      Effect.gen(function* () {
        const caller = yield* newCaller()
        const { id } = dataOf(yield* upload(caller, png(1_000)))
        const other = yield* newCaller({ workspaceId: caller.workspaceId })
        expect((yield* get(other, id)).status).toBe(404)
        const reader = yield* newCaller({ workspaceId: caller.workspaceId, scopes: ["messages.read"] })
        expect((yield* upload(reader, png(1_000))).status).toBe(403)
      })
    )
  })
}
