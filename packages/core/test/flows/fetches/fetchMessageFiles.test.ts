import { createHash } from "node:crypto"
import { expect, layer } from "@effect/vitest"
import { databases } from "@parley/testkit/databases"
import { aJob } from "@parley/testkit/rows"
import { Array as Arrays, Clock, Deferred, Effect, Either, Layer, Option, Ref, Stream } from "effect"
import * as Engine from "../../../src/Engine.js"
import { fetchMessageFiles } from "../../../src/flows/fetches/fetchMessageFiles.js"
import { defaultSettings } from "../../../src/kernel/EngineSettings.js"
import { day, hour } from "../../../src/model/Instant.js"
import type { Message } from "../../../src/model/Message.js"
import { Blobs, BlobsUnavailable } from "../../../src/ports/Blobs.js"
import { changes, expect as expects, row, set } from "../../../src/ports/Changes.js"
import { type FetchedFile, FileGone, ProviderUnavailable, SendOutcome } from "../../../src/ports/ChannelProvider.js"
import { HttpSender } from "../../../src/ports/HttpSender.js"
import { Ids } from "../../../src/ports/Ids.js"
import { readById, Storage } from "../../../src/ports/Storage.js"
import { fingerprint } from "../../../src/resources/access/fingerprint.js"
import { Files } from "../../../src/resources/attachments/Files.js"
import { fetchJob } from "../../../src/resources/channels/fetchJob.js"
import { Messages } from "../../../src/resources/messages/Messages.js"
import { decodeSendMessageInput } from "../../../src/resources/messages/SendMessageInput.js"
import {
  engine,
  eventually,
  newTenant,
  Provider,
  Receiver,
  received,
  scriptedProvider,
  type Tenant
} from "../../harness.js"

const text = (content: string) => new TextEncoder().encode(content)
const file = (content: string, parts: Partial<FetchedFile> = {}): FetchedFile => ({
  contentType: "image/png; charset=x",
  fileName: "../picture.png",
  bytes: Stream.make(text(content)),
  ...parts
})
const contentOf = (bytes: Stream.Stream<Uint8Array, unknown>) =>
  Effect.map(Stream.runCollect(bytes), (chunks) => Buffer.concat([...chunks]).toString())

/** Sends files as the tenant's application; returns the message's id. */
const sendFiles = (tenant: Tenant, to: string, ...urls: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const messages = yield* Messages
    const attachments = urls.map((url) => ({ url }))
    const json = { channel: "whatsapp", to, type: "media", message: { body: "See", attachments } }
    const answer = yield* messages.send(tenant.caller, {
      decoded: decodeSendMessageInput(json),
      idempotency: { key: to, fingerprint: fingerprint("POST", "/messages", json) },
      requestId: "request"
    })
    return JSON.parse(answer.body).data.message_id as string
  })
const messageOf = (id: string) =>
  Effect.flatMap(Storage, (storage) => Effect.map(readById(storage, "messages", id), (message) => message as Message))
const ended = (id: string) => eventually(messageOf(id), ({ status }) => status === "sent" || status === "failed")

for (const [name, storage] of databases) {
  const host = Engine.worker.pipe(Layer.provideMerge(engine(storage)))
  layer(host, { excludeTestServices: true, timeout: 60_000 })(`files of a send on ${name}`, (it) => {
    it.effect("are copied, then handed over once with the message", () =>
      Effect.gen(function* () {
        const tenant = yield* newTenant
        const key = { id: tenant.connection.id }
        // Without deduplication, a send that was claimed before is not repeated.
        yield* (yield* Storage).commit(
          changes(tenant.workspace.id, {
            expects: [expects("connections", key)],
            sets: [set("connections", key, { provider: "repeating" })]
          })
        )
        yield* Ref.set((yield* Receiver).file, (url) => Effect.succeed(file(`at ${url}`)))
        const id = yield* sendFiles(tenant, "+491701000001", "https://a", "https://b")
        const message = yield* ended(id)
        expect(message.status).toBe("sent")
        const described = { type: "image", contentType: "image/png", fileName: "picture.png", size: 12 }
        expect(message.attachments).toMatchObject([described, described])
        const handed = (yield* Ref.get((yield* Provider).handed)).filter((one) => one.id === id)
        expect(handed).toHaveLength(1)
        const files = handed[0]?.files ?? []
        expect(yield* Effect.forEach(files, ({ bytes }) => contentOf(bytes))).toEqual(["at https://a", "at https://b"])
        for (const attachment of message.attachments) {
          const stored = yield* readById(yield* Storage, "attachedFiles", attachment.id)
          expect(stored).toMatchObject({ status: "stored", reference: null })
        }
      })
    )

    it.effect("have one content key in all messages if they have the same bytes", () =>
      Effect.gen(function* () {
        const tenant = yield* newTenant
        yield* Ref.set((yield* Receiver).file, (url) => Effect.succeed(file(url === "https://other" ? "B" : "A")))
        const keys: Array<string | undefined> = []
        for (const [index, url] of ["https://one", "https://two", "https://other"].entries()) {
          const id = yield* sendFiles(tenant, `+49170100003${index}`, url)
          yield* ended(id)
          const handed = (yield* Ref.get((yield* Provider).handed)).find((one) => one.id === id)
          keys.push(handed?.files?.[0]?.contentKey)
        }
        const [one, two, other] = keys
        expect(one).toBe(createHash("sha256").update("A").digest("base64url"))
        expect([two === one, other === one]).toEqual([true, false])
      })
    )

    it.effect("are not fetched again once they are stored", () =>
      Effect.gen(function* () {
        const tenant = yield* newTenant
        const fetched: Array<string> = []
        yield* Ref.set((yield* Receiver).file, (url) => {
          fetched.push(url)
          return url === "https://later" && fetched.length < 3
            ? new ProviderUnavailable({ reason: "its URL answered 503" })
            : Effect.succeed(file(url))
        })
        const id = yield* sendFiles(tenant, "+491701000002", "https://first", "https://later")
        expect((yield* ended(id)).attachments).toMatchObject([{ size: 13 }, { size: 13 }])
        expect(fetched).toEqual(["https://first", "https://later", "https://later"])
      })
    )

    it.effect("that hang delay neither other fetches of the connection nor files of other applications", () =>
      Effect.gen(function* () {
        const store = yield* Storage
        const ids = yield* Ids
        const tenant = yield* newTenant
        const workspaceId = tenant.workspace.id
        const released = yield* Deferred.make<void>()
        yield* Ref.set((yield* Receiver).file, (url) =>
          url === "https://hangs"
            ? Effect.zipRight(Deferred.await(released), new FileGone({ reason: "its URL answered 404" }))
            : Effect.succeed(file(url))
        )
        const hanging = yield* Effect.forEach(Arrays.range(1, 50), (at) =>
          sendFiles(tenant, `+4917010001${10 + at}`, "https://hangs")
        )
        const now = yield* Clock.currentTimeMillis
        const application = { ...tenant.application, id: ids.next(now), name: "other" }
        const poll = fetchJob(
          tenant.connection,
          { id: ids.next(now), task: "poll", reference: tenant.connection.id, runAt: now },
          now
        )
        yield* store.commit(changes(workspaceId, { inserts: [row("applications", application), row("jobs", poll)] }))
        // The provider has no poll: the job ends at its first run.
        yield* eventually(readById(store, "jobs", poll.id), (job) => job === undefined)
        const other = { ...tenant, application, caller: { ...tenant.caller, application } }
        expect((yield* ended(yield* sendFiles(other, "+491701000003", "https://quick"))).status).toBe("sent")
        expect((yield* messageOf(hanging.at(-1) ?? "")).status).toBe("queued")
        yield* Deferred.succeed(released, undefined)
        for (const id of hanging) expect((yield* ended(id)).status).toBe("failed")
      })
    )

    it.effect("of a failed message are read as far as they are stored, and their URLs are forgotten", () =>
      Effect.gen(function* () {
        const tenant = yield* newTenant
        yield* Ref.set((yield* Receiver).file, (url) =>
          url === "https://first" ? Effect.succeed(file(url)) : new FileGone({ reason: "its URL answered 404" })
        )
        const id = yield* sendFiles(tenant, "+491701000004", "https://first", "https://gone", "https://third")
        const { attachments, status } = yield* ended(id)
        expect([status, attachments.map(({ size }) => size)]).toEqual(["failed", [13, 0, 0]])
        const files = yield* Effect.forEach(attachments, ({ id }) =>
          Effect.flatMap(Storage, (store) => readById(store, "attachedFiles", id))
        )
        expect(files).toMatchObject([
          { status: "stored", reference: null },
          { status: "failed", reference: null },
          { status: "failed", reference: null }
        ])
        const { links, open } = yield* Files
        const linkOf = yield* links("https://parley.example")
        const opened = yield* Effect.forEach(attachments, (attachment) => {
          const { pathname, searchParams } = new URL(linkOf(attachment.id).url ?? "")
          const [expires, signature] = [searchParams.get("expires") ?? "", searchParams.get("signature") ?? ""]
          return Effect.either(open(pathname.split("/").at(-1) ?? "", expires, signature))
        })
        expect(opened).toMatchObject([
          Either.right({ fileName: "picture.png" }),
          Either.left({ code: "not_found" }),
          Either.left({ code: "not_found" })
        ])
      })
    )

    it.effect("fail the message if one is gone, too large or of a refused type, and nothing is sent", () =>
      Effect.gen(function* () {
        const tenant = yield* newTenant
        yield* Ref.set((yield* Receiver).file, (url) =>
          url === "https://gone"
            ? new FileGone({ reason: "its URL answered 404" })
            : Effect.succeed(
                url === "https://audio" ? file("x".repeat(11), { contentType: "audio/mpeg" }) : file("x".repeat(21))
              )
        )
        for (const [url, reason] of [
          ["https://gone", "its URL answered 404"],
          ["https://large", "it has more than 20 bytes"],
          ["https://audio", "it has more than 10 bytes"]
        ] as const) {
          const id = yield* sendFiles(tenant, `+4917010000${url.length}${url.at(-1)?.charCodeAt(0)}`, url)
          expect(yield* ended(id)).toMatchObject({
            status: "failed",
            error: { code: "validation_failed", message: `A file could not be fetched: ${reason}.` }
          })
          const handed = yield* Ref.get((yield* Provider).handed)
          expect(handed.filter((one) => one.id === id)).toEqual([])
          const events = yield* eventually(received(tenant.endpoint.url), (all) =>
            all.some(({ event }) => event.type === "message.failed" && event.data !== undefined)
          )
          expect(events.map(({ event }) => event.type)).toContain("message.failed")
        }
      })
    )

    it.effect("are fetched again for a day while their server or the blob store fails", () =>
      Effect.gen(function* () {
        const store = yield* Storage
        const ids = yield* Ids
        const tenant = yield* newTenant
        const { get: _, ...sender } = yield* HttpSender
        const id = yield* sendFiles(tenant, "+491701000009", "https://c")
        yield* ended(id)
        const waiting = { ...(yield* messageOf(id)), status: "queued" as const }
        const reads = { ...store, read: () => Effect.succeed(reading(waiting)) } as unknown as Storage
        const unavailable = () => new ProviderUnavailable({ reason: "its URL answered 503" })
        const full = { ...fails, put: () => new BlobsUnavailable({ reason: "the disk is full" }) }
        const provider = { ...scriptedProvider, send: () => Effect.succeed(SendOutcome.Unknown({ reason: "" })) }
        const now = yield* Clock.currentTimeMillis
        for (const [get, blobs, reason, problem] of [
          [unavailable, fails, "its URL answered 503", "its URL answered 503"],
          [() => Effect.succeed(file("c")), full, "it cannot be stored: the disk is full", "it cannot be stored"]
        ] as const) {
          const fetchAfter = (failingMs: number | null) =>
            fetchMessageFiles(
              reads,
              blobs,
              { ...sender, get },
              ids,
              defaultSettings.attachments
            )(
              aJob({
                ...{ id, reference: id, createdAt: now - 2 * day },
                payload: { to: "+1", ...(failingMs === null ? {} : { failingSince: now - failingMs }) }
              }),
              { connection: tenant.connection, provider, credentials: null }
            )
          const unanswered = Either.left(new ProviderUnavailable({ reason }))
          for (const failingMs of [null, hour]) expect(yield* Effect.either(fetchAfter(failingMs))).toEqual(unanswered)
          expect((yield* fetchAfter(day))?.parts?.flatMap(({ sets = [] }) => sets)).toMatchObject([
            {
              table: "messages",
              values: { status: "failed", error: { message: expect.stringContaining(`: ${problem}.`) } }
            },
            { table: "attachedFiles", values: { status: "failed", reference: null } }
          ])
        }
      })
    )

    for (const [kind, contentType, reason] of [
      ["image", "image/png", null],
      // As hosts of earlier versions stored every file of unknown type.
      ["document", "image/png", null],
      ["image", "image/webp", "it is image/webp and must be image/png in a header of this channel"],
      ["video", "image/png", "it is image/png and must be the type of the header: video"],
      ["image", "application/pdf", "it is application/pdf and must be the type of the header: image"]
    ] as const) {
      it.effect(`of a template are compared with its header once they are fetched: ${kind}, ${contentType}`, () =>
        Effect.gen(function* () {
          const tenant = yield* newTenant
          const id = yield* sendFiles(tenant, "+491701000010", "https://d")
          const sent = yield* ended(id)
          const unknown = { type: kind, contentType: "application/octet-stream", size: 0 }
          const attachments = sent.attachments.map((one) => ({ ...one, ...unknown }))
          const waiting = { ...sent, status: "queued", templateName: "news", attachments } as const
          const reads = { ...(yield* Storage), read: () => Effect.succeed(reading(waiting)) } as unknown as Storage
          const get = () => Effect.succeed(file("x", { contentType }))
          const stores = { ...fails, put: () => Effect.succeed(1) }
          const task = fetchMessageFiles(reads, stores, { get }, yield* Ids, defaultSettings.attachments)
          const provider = {
            ...scriptedProvider,
            capabilities: (connection: typeof tenant.connection) => ({
              ...scriptedProvider.capabilities(connection),
              headerFiles: { image: { types: ["image/png"] } }
            }),
            send: () => Effect.succeed(SendOutcome.Unknown({ reason: "" }))
          }
          const job = aJob({ id, reference: id, payload: { to: "+1" } })
          const result = yield* task(job, { connection: tenant.connection, provider, credentials: null })
          const changed = result?.parts?.flatMap(({ sets = [] }) => sets).find(({ table }) => table === "messages")
          expect(changed?.values).toMatchObject(
            reason === null
              ? { attachments: [{ type: "image", contentType }] }
              : { status: "failed", error: { message: `A file could not be fetched: ${reason}.` } }
          )
        })
      )
    }

    it.effect("are removed if the message was erased during the download", () =>
      Effect.gen(function* () {
        const { get, put } = yield* Blobs
        const tenant = yield* newTenant
        const id = "01900000-0000-7000-8000-0000000000ff"
        yield* put(id, text("x"), { contentType: "image/png", limit: 10 })
        const provider = { ...scriptedProvider, send: () => Effect.succeed(SendOutcome.Unknown({ reason: "" })) }
        const task = fetchMessageFiles(
          yield* Storage,
          yield* Blobs,
          yield* HttpSender,
          yield* Ids,
          defaultSettings.attachments
        )
        const job = aJob({ id, reference: tenant.workspace.id, payload: { to: "+1", files: [id] } })
        expect(yield* task(job, { connection: tenant.connection, provider, credentials: null })).toBeNull()
        expect(Option.isNone(yield* get(id))).toBe(true)
      })
    )

    for (const isErased of [true, false]) {
      it.effect(
        `are ${isErased ? "removed" : "kept"} if another process took the job over and the message ${isErased ? "was erased" : "stands"}`,
        () =>
          Effect.gen(function* () {
            const tenant = yield* newTenant
            const id = yield* sendFiles(tenant, "+491701000012", "https://e")
            const waiting = { ...(yield* ended(id)), status: "queued" } as const
            let isStored = false
            const removed: Array<string> = []
            const reads = {
              ...(yield* Storage),
              read: () => Effect.sync(() => (isStored && isErased ? { found: [] } : reading(waiting)))
            } as unknown as Storage
            const blobs = {
              ...fails,
              put: () =>
                Effect.sync(() => {
                  isStored = true
                  return 1
                }),
              remove: (ids: ReadonlyArray<string>) => Effect.sync(() => void removed.push(...ids))
            }
            const get = () => Effect.succeed(file("x"))
            const task = fetchMessageFiles(reads, blobs, { get }, yield* Ids, defaultSettings.attachments)
            const files = waiting.attachments.map((one) => one.id)
            const job = aJob({ id, reference: id, payload: { to: "+1", files } })
            const provider = { ...scriptedProvider, send: () => Effect.succeed(SendOutcome.Unknown({ reason: "" })) }
            const result = yield* task(job, { connection: tenant.connection, provider, credentials: null })
            expect([isStored, removed]).toEqual([true, []])
            yield* result?.onFenced ?? Effect.void
            expect(removed).toEqual(isErased ? files : [])
          })
      )
    }
  })
}

/** The rows of a message whose files wait. */
const reading = (message: Message) => ({
  found: [message],
  ...Object.fromEntries(message.attachments.map(({ id }) => [id, [{ id, status: "waiting", reference: "https://c" }]])),
  applications: [],
  endpoints: []
})

const fails = { put: () => Effect.die("nothing is stored"), get: () => Effect.succeedNone, remove: () => Effect.void }
