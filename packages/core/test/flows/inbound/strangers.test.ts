import { expect, layer } from "@effect/vitest"
import { databases } from "@parley/testkit/databases"
import { someTime } from "@parley/testkit/rows"
import { Clock, Effect } from "effect"
import { Inbound } from "../../../src/flows/inbound/Inbound.js"
import { Unsubscribes } from "../../../src/flows/inbound/Unsubscribes.js"
import { InboundEvent, type ReportEvidence } from "../../../src/model/InboundEvent.js"
import { hour } from "../../../src/model/Instant.js"
import { changes, expect as expects, set } from "../../../src/ports/Changes.js"
import { SecretBox } from "../../../src/ports/SecretBox.js"
import { lookup, readById, Storage } from "../../../src/ports/Storage.js"
import { addressOf } from "../../../src/resources/contacts/Handle.js"
import { type SignedIdPurpose, signedId } from "../../../src/resources/messages/signedId.js"
import { engine, newTenant, send, type Tenant } from "../../harness.js"

const ada = "+491701000001"
const bob = "+491701000002"

const take = ({ connection }: Tenant, ...events: ReadonlyArray<InboundEvent>) =>
  Effect.flatMap(Inbound, (inbound) => inbound.take(connection, events))
const sign = (id: string, purpose: SignedIdPurpose = "report") =>
  Effect.map(SecretBox, (box) => signedId(box, purpose, id))

/** A report that a message failed; by default signed with nothing, and about no recipient. */
const report = (messageId: string, evidence: Partial<ReportEvidence>, providerMessageId = `<${messageId}@x>`) =>
  InboundEvent.Receipt({
    providerMessageId,
    messageId,
    receipt: { status: "failed", at: someTime, error: null },
    evidence: { signedId: null, needsSignedId: false, originalRecipient: null, finalRecipient: null, ...evidence }
  })

const statusOf = (id: string) =>
  Effect.flatMap(Storage, (storage) => Effect.map(readById(storage, "messages", id), (found) => found?.status))
const contactOf = (tenant: Tenant, handle: string) =>
  Effect.gen(function* () {
    const storage = yield* Storage
    const { id: workspaceId } = tenant.workspace
    const { found } = yield* storage.read({
      found: lookup("addresses", { workspaceId, ...addressOf("whatsapp", handle) })
    })
    return yield* readById(storage, "contacts", found[0]?.contactId)
  })
const list = <T extends "unknownEvents" | "events">({ workspace }: Tenant, from: T) =>
  Effect.flatMap(Storage, (storage) =>
    storage.list<T>({ from, where: { workspaceId: workspace.id } as never, after: null, limit: 100 })
  )

for (const [name, storage] of databases) {
  layer(engine(storage, 30_000), { excludeTestServices: true, timeout: 60_000 })(
    `what strangers can write on ${name}`,
    (it) => {
      it.effect("a report without a signed id counts with the recipient of its message only", () =>
        Effect.gen(function* () {
          const tenant = yield* newTenant
          const { id } = yield* send(tenant, ada, "one")
          const forged = [
            report(id, {}),
            report(id, { finalRecipient: bob }),
            report(id, { finalRecipient: "not a number" }),
            report(id, { originalRecipient: bob, finalRecipient: ada })
          ]
          yield* take(tenant, ...forged)
          expect(yield* statusOf(id)).toBe("sent")
          expect((yield* list(tenant, "unknownEvents")).map(({ kind }) => kind)).toEqual(forged.map(() => "receipt"))
          yield* take(tenant, report(id, { finalRecipient: "+49 170 1000001" }))
          expect(yield* statusOf(id)).toBe("failed")
        })
      )

      it.effect("a report needs the signed id of its own message where it needs one", () =>
        Effect.gen(function* () {
          const tenant = yield* newTenant
          const { id } = yield* send(tenant, ada, "one")
          const other = yield* send(tenant, ada, "two")
          const valid = yield* sign(id)
          const evidence = { needsSignedId: true, originalRecipient: ada, finalRecipient: ada }
          yield* take(
            tenant,
            report(id, evidence),
            report(id, { ...evidence, signedId: `${valid.slice(0, -1)}${valid.endsWith("0") ? "1" : "0"}` }),
            report(id, { ...evidence, signedId: yield* sign(id, "unsubscribe") }),
            report(other.id, { ...evidence, signedId: valid }),
            report(id, { ...evidence, signedId: valid, originalRecipient: bob })
          )
          expect([yield* statusOf(id), yield* statusOf(other.id)]).toEqual(["sent", "sent"])
          // The case of an address is not kept by all servers; the last recipient is that of a forwarded mail.
          yield* take(tenant, report(id, { needsSignedId: true, signedId: valid.toUpperCase(), finalRecipient: bob }))
          expect([yield* statusOf(id), yield* statusOf(other.id)]).toEqual(["failed", "sent"])
        })
      )

      it.effect("a report counts for a message of the connection only, and no stranger's is kept for later", () =>
        Effect.gen(function* () {
          const [tenant, stranger] = [yield* newTenant, yield* newTenant]
          const { id } = yield* send(tenant, ada, "one")
          const proven = { finalRecipient: ada, signedId: yield* sign(id) }
          const unknown = "01900000-0000-7000-8000-0000000000aa"
          yield* take(stranger, report(id, proven))
          yield* take(tenant, report(unknown, { finalRecipient: ada }))
          // The vendor's id of the message, with our id of another one.
          yield* take(tenant, report(unknown, { finalRecipient: ada }, `p-${id}`))
          expect(yield* statusOf(id)).toBe("sent")
          const storage = yield* Storage
          const key = { connectionId: tenant.connection.id, providerMessageId: `<${unknown}@x>` }
          expect((yield* storage.read({ parked: lookup("providerMessages", key) })).parked).toEqual([])
        })
      )

      it.effect("a signed id opts out the recipient of its message, once", () =>
        Effect.gen(function* () {
          const [tenant, stranger] = [yield* newTenant, yield* newTenant]
          const { id } = yield* send(tenant, ada, "one")
          yield* send(tenant, bob, "two")
          const link = yield* sign(id, "unsubscribe")
          yield* take(tenant, InboundEvent.Unsubscribe({ signedId: yield* sign(id) }))
          yield* take(tenant, InboundEvent.Unsubscribe({ signedId: `${link}0` }))
          yield* take(stranger, InboundEvent.Unsubscribe({ signedId: link }))
          expect((yield* contactOf(tenant, ada))?.optedOut).toBe(false)
          yield* take(
            tenant,
            InboundEvent.Unsubscribe({ signedId: link }),
            InboundEvent.Unsubscribe({ signedId: link })
          )
          expect(yield* contactOf(tenant, ada)).toMatchObject({ optedOut: true, marketingOptedOut: false })
          expect((yield* contactOf(tenant, bob))?.optedOut).toBe(false)
          const changed = (yield* list(tenant, "events")).filter(({ type }) => type === "contact.updated")
          expect(changed).toHaveLength(1)
        })
      )

      it.effect("a mail that unsubscribes and is read late does not undo a later START", () =>
        Effect.gen(function* () {
          const tenant = yield* newTenant
          const { id } = yield* send(tenant, ada, "one")
          const link = yield* sign(id, "unsubscribe")
          const at = (yield* Clock.currentTimeMillis) - hour
          for (const body of ["STOP", "START"]) {
            const said = { body, subject: null, displayName: null, attachments: [], automatic: false }
            yield* take(tenant, InboundEvent.Message({ providerMessageId: body, from: ada, ...said }))
          }
          yield* take(tenant, InboundEvent.Unsubscribe({ signedId: link, at }))
          expect((yield* contactOf(tenant, ada))?.optedOut).toBe(false)
          yield* take(tenant, InboundEvent.Unsubscribe({ signedId: link }))
          expect((yield* contactOf(tenant, ada))?.optedOut).toBe(true)
        })
      )

      it.effect("a link opts out the recipient of its message, and others do nothing", () =>
        Effect.gen(function* () {
          const tenant = yield* newTenant
          const unsubscribes = yield* Unsubscribes
          const { id } = yield* send(tenant, ada, "one")
          const deleted = yield* sign("01900000-0000-7000-8000-0000000000aa", "unsubscribe")
          const bounce = yield* sign(id)
          for (const other of [deleted, bounce, "", "x".repeat(42)]) yield* unsubscribes.unsubscribe(other)
          expect((yield* contactOf(tenant, ada))?.optedOut).toBe(false)
          const link = yield* sign(id, "unsubscribe")
          expect([link, deleted, bounce, ""].map(unsubscribes.isSigned)).toEqual([true, true, false, false])
          yield* Effect.all([unsubscribes.unsubscribe(link), unsubscribes.unsubscribe(link)], {
            concurrency: "unbounded"
          })
          yield* unsubscribes.unsubscribe(link)
          expect((yield* contactOf(tenant, ada))?.optedOut).toBe(true)
          expect((yield* list(tenant, "events")).filter(({ type }) => type === "contact.updated")).toHaveLength(1)
          expect(yield* list(tenant, "unknownEvents")).toEqual([])
        })
      )

      it.effect("a keyword counts from a proven sender only", () =>
        Effect.gen(function* () {
          const tenant = yield* newTenant
          const said = (providerMessageId: string, body: string, senderProven: boolean) =>
            InboundEvent.Message({
              providerMessageId,
              from: ada,
              body,
              subject: null,
              displayName: null,
              attachments: [],
              automatic: false,
              senderProven
            })
          const optedOut = Effect.map(contactOf(tenant, ada), (contact) => contact?.optedOut)
          yield* take(tenant, said("1", "STOP", false))
          expect(yield* optedOut).toBe(false)
          yield* take(tenant, said("2", "STOP", true))
          expect(yield* optedOut).toBe(true)
          yield* take(tenant, said("3", "START", false))
          expect(yield* optedOut).toBe(true)
        })
      )

      it.effect("marketing is refused to a contact who wants none, other messages are not", () =>
        Effect.gen(function* () {
          const tenant = yield* newTenant
          const { id } = yield* send(tenant, ada, "one")
          const refusedAt = Effect.flip(send(tenant, ada, crypto.randomUUID()))
          yield* take(tenant, InboundEvent.OptOut({ handle: ada, scope: "marketing", optedOut: true }))
          yield* send(tenant, ada, "two")
          const store = yield* Storage
          const { id: connectionId, workspaceId } = tenant.connection
          yield* store.commit(
            changes(workspaceId, {
              expects: [expects("connections", { id: connectionId })],
              sets: [set("connections", { id: connectionId }, { config: { marketing: true } })]
            })
          )
          expect(yield* refusedAt).toMatchObject({
            code: "validation_failed",
            details: { to: ["has opted out of marketing messages"] }
          })
          expect(yield* statusOf(id)).toBe("sent")
        })
      )
    }
  )
}
