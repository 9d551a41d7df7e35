import { expect, layer } from "@effect/vitest"
import { databases } from "@parley/testkit/databases"
import { Clock, Effect, Layer, Option, Ref, Stream } from "effect"
import * as Administration from "../../../src/administration/Administration.js"
import { eraseContactData } from "../../../src/erasure/eraseContactData.js"
import { Inbound } from "../../../src/flows/inbound/Inbound.js"
import { Decider } from "../../../src/kernel/Decider.js"
import { defaultSettings } from "../../../src/kernel/EngineSettings.js"
import { InboundEvent } from "../../../src/model/InboundEvent.js"
import { day, hour } from "../../../src/model/Instant.js"
import { Blobs, BlobsUnavailable } from "../../../src/ports/Blobs.js"
import {
  type ChannelProvider,
  type FetchedFile,
  FileGone,
  ProviderUnavailable,
  SendOutcome
} from "../../../src/ports/ChannelProvider.js"
import { SecretBox } from "../../../src/ports/SecretBox.js"
import { readById, Storage, StorageUnavailable } from "../../../src/ports/Storage.js"
import { Files } from "../../../src/resources/attachments/Files.js"
import { fetchFile } from "../../../src/resources/attachments/fetchFile.js"
import { type FileLinks, fileLinks } from "../../../src/resources/attachments/fileLink.js"
import { attachmentId } from "../../../src/resources/attachments/storeInboundFile.js"
import { AdminContacts } from "../../../src/resources/contacts/AdminContacts.js"
import { engine, newTenant, scriptedProvider, type Tenant } from "../../harness.js"

const settings = defaultSettings.attachments
const reference = "media-7"
const picture = new TextEncoder().encode("a picture")

const providerThat = (fetch: NonNullable<ChannelProvider["fetchFile"]> | null): ChannelProvider => ({
  ...scriptedProvider,
  send: () => Effect.succeed(SendOutcome.Unknown({ reason: "not asked" })),
  ...(fetch === null ? {} : { fetchFile: fetch })
})

const given = (parts: Partial<FetchedFile> = {}): FetchedFile => ({
  contentType: "image/png",
  fileName: "../../a\u0000b.png",
  bytes: Stream.make(picture.subarray(0, 4), picture.subarray(4)),
  ...parts
})
const handsOut = (file: FetchedFile) => providerThat(() => Effect.succeed(file))

/** A message with a file at the vendor, and the job that fetches it. */
const attached = Effect.gen(function* () {
  const tenant = yield* newTenant
  const event = InboundEvent.Message({
    providerMessageId: "1",
    from: "+491701000001",
    body: "see",
    subject: null,
    displayName: "Ada",
    attachments: [{ type: "image", contentType: null, fileName: "before.png", duration: 7, content: { reference } }],
    automatic: false
  })
  yield* (yield* Inbound).take(tenant.connection, [event])
  const id = attachmentId(tenant.connection.id, "1", 0)
  const job = yield* readById(yield* Storage, "jobs", id)
  if (job === undefined) return yield* Effect.dieMessage("there is no job")
  return { tenant, id, job }
})
type Attached = Effect.Effect.Success<typeof attached>

interface Circumstances {
  readonly storage?: Partial<Storage>
  readonly blobs?: Partial<Blobs>
  readonly settings?: Partial<typeof settings>
  /** How long the vendor has been failing. Default: it has not. */
  readonly failingMs?: number
}

const fetched = ({ job, tenant }: Attached, provider: ChannelProvider, given: Circumstances = {}) =>
  Effect.gen(function* () {
    const storage = { ...(yield* Storage), ...given.storage }
    const blobs = { ...(yield* Blobs), ...given.blobs }
    const task = fetchFile(storage, blobs, yield* Decider, { ...settings, ...given.settings })
    const now = yield* Clock.currentTimeMillis
    const failing = given.failingMs === undefined ? {} : { failingSince: now - given.failingMs }
    // The age of the job does not count.
    const aged = { ...job, createdAt: now - 2 * day, payload: { ...job.payload, ...failing } }
    return yield* task(aged, { connection: tenant.connection, provider, credentials: null })
  })

const stateOf = ({ id }: Attached) =>
  Effect.gen(function* () {
    const storage = yield* Storage
    const file = yield* readById(storage, "attachedFiles", id)
    const message = yield* readById(storage, "messages", file?.messageId)
    return { status: file?.status, attachment: message?.attachments[0], version: message?.version }
  })

const partsOf = (links: FileLinks, id: string) => {
  const { pathname, searchParams } = new URL(links(id).url ?? "")
  const [, , attachment = ""] = pathname.split("/")
  return [attachment, searchParams.get("expires") ?? "", searchParams.get("signature") ?? ""] as const
}
const opened = ({ id }: Attached) =>
  Effect.gen(function* () {
    const files = yield* Files
    return yield* files.open(...partsOf(yield* files.links("https://acme.example"), id))
  })
const bytesOf = ({ id }: Attached) =>
  Effect.gen(function* () {
    const found = yield* (yield* Blobs).get(id)
    if (Option.isNone(found)) return null
    return Buffer.concat([...(yield* Stream.runCollect(found.value.bytes))]).toString()
  })
const eventsOf = ({ workspace }: Tenant) =>
  Effect.flatMap(Storage, (storage) =>
    Effect.map(
      storage.list({ from: "events", where: { workspaceId: workspace.id }, after: null, limit: 100 }),
      (events) => events.length
    )
  )

for (const [name, storage] of databases) {
  const live = Administration.layer.pipe(Layer.provideMerge(engine(storage, 30_000)))
  layer(live, { excludeTestServices: true, timeout: 60_000 })(`an inbound file on ${name}`, (it) => {
    it.effect("is fetched, stored, described in its message and served by its link", () =>
      Effect.gen(function* () {
        const file = yield* attached
        expect(yield* stateOf(file)).toMatchObject({ status: "waiting", attachment: { size: 0 } })
        expect(yield* Effect.flip(opened(file))).toMatchObject({ code: "service_unavailable" })
        const before = yield* eventsOf(file.tenant)
        const requests = yield* Ref.make<ReadonlyArray<string>>([])
        const provider = providerThat((_connection, _credentials, reference) =>
          Effect.as(
            Ref.update(requests, (all) => [...all, reference]),
            given()
          )
        )
        expect(yield* fetched(file, provider)).toBeNull()
        expect(yield* stateOf(file)).toMatchObject({
          status: "stored",
          attachment: {
            ...{ id: file.id, type: "image", contentType: "image/png", fileName: "ab.png", size: picture.length },
            duration: 7
          }
        })
        const { contentType, fileName, size } = yield* opened(file)
        expect({ contentType, fileName, size }).toEqual({ contentType: "image/png", fileName: "ab.png", size: 9 })
        expect(yield* bytesOf(file)).toBe("a picture")
        expect(yield* eventsOf(file.tenant)).toBe(before)
        // Execute the job again, as after a lost settle.
        const after = yield* stateOf(file)
        expect(yield* fetched(file, provider)).toBeNull()
        expect(yield* stateOf(file)).toEqual(after)
        expect(yield* bytesOf(file)).toBe("a picture")
        expect(yield* Ref.get(requests)).toEqual([reference])
      })
    )

    it.effect("keeps the description of its message if the vendor gives none", () =>
      Effect.gen(function* () {
        const file = yield* attached
        yield* fetched(file, handsOut(given({ contentType: null, fileName: null })))
        expect(yield* stateOf(file)).toMatchObject({
          attachment: { contentType: "application/octet-stream", fileName: "before.png" }
        })
      })
    )

    it.effect("is given up if it is deleted at the vendor, too large or of a type that is not kept", () =>
      Effect.gen(function* () {
        const html = { contentType: "Text/HTML; charset=utf-8" }
        const cases: ReadonlyArray<readonly [ChannelProvider, Circumstances]> = [
          [providerThat(() => Effect.fail(new FileGone({ reason: "404" }))), {}],
          [handsOut(given()), { settings: { maxBytes: picture.length - 1 } }],
          [handsOut(given(html)), { settings: { types: ["image/*", "application/pdf"] } }],
          [providerThat(null), {}]
        ]
        for (const [provider, circumstances] of cases) {
          const file = yield* attached
          const before = yield* stateOf(file)
          expect(yield* fetched(file, provider, circumstances)).toBeNull()
          expect(yield* stateOf(file)).toEqual({ ...before, status: "failed" })
          expect(yield* Effect.flip(opened(file))).toMatchObject({ code: "not_found" })
          expect(yield* bytesOf(file)).toBeNull()
        }
      })
    )

    it.effect("is stored if its type is kept", () =>
      Effect.gen(function* () {
        const file = yield* attached
        yield* fetched(file, handsOut(given()), { settings: { types: ["image/*"], maxBytes: picture.length } })
        expect(yield* stateOf(file)).toMatchObject({ status: "stored" })
      })
    )

    it.effect("is retried for a day, then given up", () =>
      Effect.gen(function* () {
        const down = new ProviderUnavailable({ reason: "503" })
        const broken = handsOut(given({ bytes: Stream.concat(Stream.make(picture), Stream.fail(down)) }))
        for (const provider of [providerThat(() => down), broken]) {
          const file = yield* attached
          for (const failing of [{}, { failingMs: day - hour }]) {
            expect(yield* Effect.flip(fetched(file, provider, failing))).toEqual(down)
            expect(yield* stateOf(file)).toMatchObject({ status: "waiting" })
          }
          expect(yield* fetched(file, provider, { failingMs: day + hour })).toBeNull()
          expect(yield* stateOf(file)).toMatchObject({ status: "failed" })
        }
      })
    )

    it.effect("waits as long as the blob store is unavailable", () =>
      Effect.gen(function* () {
        const file = yield* attached
        const away = new BlobsUnavailable({ reason: "no room" })
        const circumstances = { blobs: { put: () => away }, failingMs: 30 * day }
        expect(yield* Effect.flip(fetched(file, handsOut(given()), circumstances))).toEqual(away)
        expect(yield* stateOf(file)).toMatchObject({ status: "waiting" })
      })
    )

    it.effect("is stored by the next attempt after a crash before the commit", () =>
      Effect.gen(function* () {
        const file = yield* attached
        const dead = new StorageUnavailable({ cause: "dead" })
        const reads = yield* Ref.make(0)
        const store = yield* Storage
        // Reads the file and its message, stores the bytes, and crashes.
        const read: Storage["read"] = (queries) =>
          Effect.flatMap(
            Ref.updateAndGet(reads, (n) => n + 1),
            (n) => (n <= 2 ? store.read(queries) : dead)
          )
        expect(yield* Effect.flip(fetched(file, handsOut(given()), { storage: { read } }))).toEqual(dead)
        expect(yield* bytesOf(file)).toBe("a picture")
        expect(yield* stateOf(file)).toMatchObject({ status: "waiting" })
        expect(yield* Effect.flip(opened(file))).toMatchObject({ code: "service_unavailable" })
        yield* fetched(file, handsOut(given()))
        expect(yield* stateOf(file)).toMatchObject({ status: "stored", attachment: { size: 9 } })
      })
    )

    it.effect("leaves no bytes if the contact is erased meanwhile", () =>
      Effect.gen(function* () {
        const file = yield* attached
        const store = yield* Storage
        const erase = Effect.gen(function* () {
          const row = yield* readById(store, "attachedFiles", file.id)
          const message = yield* readById(store, "messages", row?.messageId)
          if (message === undefined) return yield* Effect.dieMessage("there is no message")
          yield* (yield* AdminContacts).erase(message.contactId)
          const job = yield* readById(store, "jobs", message.contactId)
          if (job === undefined) return yield* Effect.dieMessage("there is no job")
          yield* eraseContactData(store, yield* Blobs, job)
        })
        const services = yield* Effect.context<AdminContacts | Blobs>()
        const bytes = Stream.concat(Stream.make(picture), Stream.drain(Stream.fromEffect(Effect.orDie(erase))))
        yield* fetched(file, handsOut(given({ bytes: Stream.provideContext(bytes, services) })))
        expect(yield* bytesOf(file)).toBeNull()
        expect(yield* readById(store, "attachedFiles", file.id)).toBeUndefined()
        // The same if the process crashed before it could remove them.
        yield* (yield* Blobs).put(file.id, picture, { contentType: "image/png", limit: 100 })
        expect(yield* fetched(file, handsOut(given()))).toBeNull()
        expect(yield* bytesOf(file)).toBeNull()
      })
    )

    it.effect("is served by its link until the link expires", () =>
      Effect.gen(function* () {
        const file = yield* attached
        yield* fetched(file, handsOut(given()))
        const { open } = yield* Files
        const secretBox = yield* SecretBox
        const now = yield* Clock.currentTimeMillis
        const linked = (at: number) => partsOf(fileLinks(secretBox, settings, "https://acme.example", at), file.id)
        const [id, expires, signature] = linked(now)
        expect(Number(expires) * 1_000 - now).toBeGreaterThanOrEqual(hour)
        expect(Number(expires) * 1_000 - now).toBeLessThan(hour + 1_000)
        expect(yield* open(id, expires, signature)).toMatchObject({ size: 9 })
        expect(yield* open(...linked(now - hour + 30_000))).toMatchObject({ size: 9 })
        const refused = (...parts: Parameters<Files["open"]>) => Effect.flip(open(...parts))
        expect(yield* refused(...linked(now - hour - 1_000))).toMatchObject({
          code: "forbidden",
          message: expect.stringContaining("no longer good")
        })
        const other = attachmentId("another", "1", 0)
        const wrong: ReadonlyArray<Parameters<Files["open"]>> = [
          [id, expires, `${signature}x`],
          [id, expires, ""],
          [id, `${Number(expires) + 1}`, signature],
          [id, "", signature],
          [id, ` ${expires}`, signature],
          [id, "1e9", signature],
          [other, expires, signature]
        ]
        for (const parts of wrong) expect(yield* refused(...parts)).toMatchObject({ code: "forbidden" })
        expect(yield* refused(...partsOf(fileLinks(secretBox, settings, "https://x", now), other))).toMatchObject({
          code: "not_found"
        })
        yield* (yield* Blobs).remove([id])
        expect(yield* refused(id, expires, signature)).toMatchObject({ code: "not_found" })
      })
    )
  })
}
