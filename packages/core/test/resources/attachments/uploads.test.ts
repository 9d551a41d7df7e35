import { expect, layer } from "@effect/vitest"
import { databases } from "@parley/testkit/databases"
import { Chunk, Context, Effect, Either, Layer, Option, Ref, Stream } from "effect"
import * as Administration from "../../../src/administration/Administration.js"
import * as Engine from "../../../src/Engine.js"
import { decodeReplyInput } from "../../../src/flows/agentReplies/ReplyInput.js"
import { AdminMessages } from "../../../src/flows/messageAdmin/AdminMessages.js"
import { Decider } from "../../../src/kernel/Decider.js"
import { defaultSettings } from "../../../src/kernel/EngineSettings.js"
import { hour, minute } from "../../../src/model/Instant.js"
import { Blobs } from "../../../src/ports/Blobs.js"
import { type Changes, changes, set } from "../../../src/ports/Changes.js"
import { Ids } from "../../../src/ports/Ids.js"
import { CommitOutcome, readById, Storage } from "../../../src/ports/Storage.js"
import type { Wakeup } from "../../../src/ports/Wakeup.js"
import { fingerprint } from "../../../src/resources/access/fingerprint.js"
import { deleteUpload } from "../../../src/resources/attachments/deleteUpload.js"
import { type Uploader, Uploads } from "../../../src/resources/attachments/Uploads.js"
import { AdminContacts } from "../../../src/resources/contacts/AdminContacts.js"
import { Messages } from "../../../src/resources/messages/Messages.js"
import { decodeSendMessageInput } from "../../../src/resources/messages/SendMessageInput.js"
import { engine, eventually, newTenant, Provider, type Tenant } from "../../harness.js"
import { heldCommits } from "../../heldCommits.js"

const bytes = new TextEncoder().encode("Dear Ada")

const create = (uploader: Uploader, key: string | null = "upload", content = bytes) =>
  Effect.gen(function* () {
    const answer = yield* (yield* Uploads).create(uploader, {
      bytes: Stream.make(content.subarray(0, 4), content.subarray(4)),
      describe: () => ({ contentType: "text/plain", fileName: "letter.txt" }),
      idempotency: key === null ? null : { key, fingerprint: "upload" }
    })
    return JSON.parse(answer.body).data.id as string
  })

const uploaded = ({ caller }: Tenant, key = "upload") => create({ _tag: "Application", caller }, key)

const administrator = ({ workspace }: Tenant, actor = "admin"): Uploader => ({
  _tag: "Administrator",
  actor,
  workspaceId: workspace.id
})

const reply = (conversationId: string, uploadId: string) =>
  Effect.flatMap(AdminMessages, (messages) =>
    messages.reply(conversationId, decodeReplyInput({ type: "media", attachments: [{ attachment_id: uploadId }] }))
  )

const sent = ({ caller }: Tenant, to: string, uploadId: string) =>
  Effect.gen(function* () {
    const json = { channel: "whatsapp", to, type: "media", message: { attachments: [{ attachment_id: uploadId }] } }
    const answer = yield* (yield* Messages).send(caller, {
      decoded: decodeSendMessageInput(json),
      idempotency: { key: to, fingerprint: fingerprint("POST", "/messages", json) },
      requestId: "request"
    })
    const { contact_id, conversation_id, message_id } = JSON.parse(answer.body).data
    return {
      contactId: contact_id as string,
      conversationId: conversation_id as string,
      messageId: message_id as string
    }
  })

const expiresAt = ({ workspace }: Tenant, id: string, time: number) =>
  Effect.flatMap(Storage, (storage) =>
    storage.commit(changes(workspace.id, { sets: [set("uploads", { id }, { expiresAt: time })] }))
  )
const deleted = (id: string, storage: Partial<Storage> = {}) =>
  Effect.gen(function* () {
    yield* deleteUpload({ ...(yield* Storage), ...storage }, yield* Blobs, yield* Decider, id)
  })
const stored = (id: string) =>
  Effect.gen(function* () {
    const row = yield* readById(yield* Storage, "uploads", id)
    return { row: row !== undefined, blob: Option.isSome(yield* (yield* Blobs).get(id)) }
  })
const kept = { row: true, blob: true }
const gone = { row: false, blob: false }

/** A storage in which every upload conflicts, and the ids of these uploads. */
const conflicting = <E>(storage: Layer.Layer<Storage | Wakeup, E>, ids: Set<string>) =>
  Layer.map(storage, (context) => {
    const inner = Context.get(context, Storage)
    const commit: Storage["commit"] = (changes) => {
      const uploads = changes.inserts.flatMap((one) => (one.table === "uploads" ? [one.row.id] : []))
      for (const id of uploads) ids.add(id)
      return uploads.length === 0 ? inner.commit(changes) : Effect.succeed(CommitOutcome.Conflict({ lost: [] }))
    }
    return Context.add(context, Storage, { ...inner, commit })
  })

for (const [name, storage] of databases) {
  const ids = new Set<string>()
  layer(engine(conflicting(storage, ids)), { excludeTestServices: true, timeout: 60_000 })(
    `an upload that is not stored on ${name}`,
    (it) => {
      it.effect("leaves no bytes", () =>
        Effect.gen(function* () {
          expect(yield* Effect.flip(uploaded(yield* newTenant))).toMatchObject({ _tag: "StorageBusy" })
          const [id = "", ...others] = ids
          expect(others).toEqual([])
          expect(yield* stored(id)).toEqual(gone)
        })
      )
    }
  )
}

for (const [name, storage] of databases) {
  const held = heldCommits()
  const attachments = { ...defaultSettings.attachments, unsentBytes: 3 * bytes.length }
  layer(engine(held.over(storage), 0, { attachments }), { excludeTestServices: true, timeout: 60_000 })(
    `concurrent uploads on ${name}`,
    (it) => {
      const owners = [
        ["an application", ({ caller }: Tenant): Uploader => ({ _tag: "Application", caller })],
        ["the administrators of a workspace", (tenant: Tenant) => administrator(tenant)]
      ] as const
      it.effect.each(owners)("leave %s with no more unsent bytes than they may have", ([, uploader]) =>
        Effect.gen(function* () {
          const tenant = yield* newTenant
          const uploads = Effect.forEach(
            ["a", "b", "c", "d", "e", "f"],
            (key) => Effect.either(create(uploader(tenant), `${tenant.workspace.id} ${key}`)),
            { concurrency: "unbounded" }
          )
          const writesUpload = ({ inserts }: Changes) => inserts.some(({ table }) => table === "uploads")
          const answers = yield* held.during(uploads, writesUpload, 6, Effect.void)
          expect(answers.flatMap((one) => (Either.isRight(one) ? [one.right] : []))).toHaveLength(3)
          expect(answers.flatMap((one) => (Either.isLeft(one) ? [one.left] : []))).toMatchObject(
            Array.from({ length: 3 }, () => ({ _tag: "Refusal", code: "validation_failed" }))
          )
        })
      )
    }
  )
}

for (const [name, storage] of databases) {
  const live = Layer.mergeAll(Administration.layer, Engine.worker).pipe(Layer.provideMerge(engine(storage)))
  layer(live, { excludeTestServices: true, timeout: 60_000 })(`an upload on ${name}`, (it) => {
    it.effect("is handed over in every message that is sent with it", () =>
      Effect.gen(function* () {
        const tenant = yield* newTenant
        const id = yield* uploaded(tenant)
        const { messageId: one } = yield* sent(tenant, "+491701000001", id)
        const { messageId: other } = yield* sent(tenant, "+491701000002", id)
        const { handed } = yield* Provider
        const messages = yield* eventually(
          Effect.map(Ref.get(handed), (all) => all.filter((message) => [one, other].includes(message.id))),
          ({ length }) => length === 2
        )
        for (const { files = [] } of messages) {
          const [file] = files
          expect(file).toMatchObject({ contentType: "text/plain", fileName: "letter.txt", size: bytes.length })
          expect(file).not.toHaveProperty("uploadId")
          expect(file?.contentKey).toBe(id)
          const read = yield* Stream.runCollect(file?.bytes ?? Stream.empty)
          expect(Buffer.concat(Chunk.toReadonlyArray(read)).toString()).toBe("Dear Ada")
        }
      })
    )
    it.effect("is deleted once it has expired, also by a retry after its row was deleted", () =>
      Effect.gen(function* () {
        const tenant = yield* newTenant
        const id = yield* uploaded(tenant)
        yield* deleted(id)
        expect(yield* stored(id)).toEqual(kept)
        // A send that found it usable may commit.
        yield* expiresAt(tenant, id, Date.now() - minute)
        yield* deleted(id)
        expect(yield* stored(id)).toEqual(kept)
        yield* expiresAt(tenant, id, Date.now() - hour)
        const blobs = yield* Blobs
        yield* deleted(id)
        expect(yield* stored(id)).toEqual(gone)
        yield* blobs.put(id, Stream.make(bytes), { contentType: "text/plain", limit: 100 })
        yield* deleted(id)
        expect(yield* stored(id)).toEqual(gone)
      })
    )
    it.effect("stays as long as a message has it", () =>
      Effect.gen(function* () {
        const tenant = yield* newTenant
        const id = yield* uploaded(tenant)
        const one = yield* sent(tenant, "+491701000001", id)
        const other = yield* sent(tenant, "+491701000002", id)
        yield* expiresAt(tenant, id, 1)
        yield* deleted(id)
        expect(yield* stored(id)).toEqual(kept)
        const contacts = yield* AdminContacts
        const noFiles = ({ messageId }: typeof one) =>
          Effect.flatMap(Storage, (storage) =>
            eventually(
              storage.list({ from: "attachedFiles", where: { uploadId: id }, after: null, limit: 10 }),
              (files) => files.every((file) => file.messageId !== messageId)
            )
          )
        yield* contacts.erase(one.contactId)
        expect(yield* noFiles(one)).toMatchObject([{ messageId: other.messageId, status: "stored" }])
        yield* deleted(id)
        expect(yield* stored(id)).toEqual(kept)
        yield* contacts.erase(other.contactId)
        // The erasure removes the bytes before it commits.
        expect(yield* eventually(stored(id), ({ blob, row }) => !blob && !row)).toEqual(gone)
      })
    )
    it.effect("of an administrator is sent by agents of its workspace alone, and deleted with the contact", () =>
      Effect.gen(function* () {
        const tenant = yield* newTenant
        const id = yield* create(administrator(tenant), null)
        const own = yield* uploaded(tenant)
        const { contactId, conversationId } = yield* sent(tenant, "+491701000001", own)
        const message = yield* reply(conversationId, id)
        const handed = yield* eventually(
          Effect.flatMap(Provider, ({ handed }) => Ref.get(handed)),
          (all) => all.some((one) => one.id === message.id)
        )
        const [file] = handed.find((one) => one.id === message.id)?.files ?? []
        const read = yield* Stream.runCollect(file?.bytes ?? Stream.empty)
        expect(Buffer.concat(Chunk.toReadonlyArray(read)).toString()).toBe("Dear Ada")

        const refused = { _tag: "Refusal", code: "validation_failed" }
        expect(yield* Effect.flip(reply(conversationId, own))).toMatchObject(refused)
        expect(yield* Effect.flip(sent(tenant, "+491701000002", id))).toMatchObject(refused)
        const other = yield* newTenant
        expect(yield* Effect.flip(reply(conversationId, yield* create(administrator(other), null)))).toMatchObject(
          refused
        )

        yield* expiresAt(tenant, id, 1)
        yield* deleted(id)
        expect(yield* stored(id)).toEqual(kept)
        yield* (yield* AdminContacts).erase(contactId)
        expect(yield* eventually(stored(id), ({ blob, row }) => !blob && !row)).toEqual(gone)
      })
    )
    it.effect("of an administrator has the keys of the actor, and no more than one result for each", () =>
      Effect.gen(function* () {
        const tenant = yield* newTenant
        const { id: workspaceId } = tenant.workspace
        const grace = administrator(tenant, `admin: grace ${workspaceId}`)
        const id = yield* create(grace, "once")
        const again = yield* Effect.all(
          Array.from({ length: 4 }, () => create(grace, "once")),
          { concurrency: "unbounded" }
        )
        expect(new Set(again)).toEqual(new Set([id]))
        expect(yield* create(administrator(tenant, `admin: ada ${workspaceId}`), "once")).not.toBe(id)
        const conflict = { _tag: "Refusal", code: "idempotency_conflict" }
        const others = new TextEncoder().encode("Dear Bob")
        expect(yield* Effect.flip(create(grace, "once", others))).toMatchObject(conflict)
        const elsewhere = administrator(yield* newTenant, `admin: grace ${workspaceId}`)
        expect(yield* Effect.flip(create(elsewhere, "once"))).toMatchObject(conflict)
      })
    )
    it.effect("of an administrator is refused in a suspended workspace and in none", () =>
      Effect.gen(function* () {
        const tenant = yield* newTenant
        const { id } = tenant.workspace
        yield* (yield* Storage).commit(changes(id, { sets: [set("workspaces", { id }, { status: "suspended" })] }))
        expect(yield* Effect.flip(create(administrator(tenant), null))).toMatchObject({ code: "workspace_suspended" })
        const nowhere: Uploader = { _tag: "Administrator", actor: "admin", workspaceId: (yield* Ids).next(1) }
        expect(yield* Effect.flip(create(nowhere, null))).toMatchObject({
          ...{ code: "validation_failed", details: { workspace_id: ["must be the id of a workspace"] } }
        })
      })
    )
    it.effect("stays if a message is sent with it during its deletion", () =>
      Effect.gen(function* () {
        const tenant = yield* newTenant
        const id = yield* uploaded(tenant)
        yield* expiresAt(tenant, id, 1)
        const storage = yield* Storage
        const services = yield* Effect.context<Messages | Storage>()
        // Its deletion has decided, so that only the version of the row keeps it.
        const send = yield* Effect.zipRight(
          expiresAt(tenant, id, Number.MAX_SAFE_INTEGER),
          Effect.zipRight(sent(tenant, "+491701000001", id), expiresAt(tenant, id, 1))
        ).pipe(Effect.provide(services), Effect.orDie, Effect.cached)
        yield* deleted(id, { list: (page) => Effect.zipLeft(storage.list(page), send) })
        expect(yield* stored(id)).toEqual(kept)
      })
    )
  })
}
