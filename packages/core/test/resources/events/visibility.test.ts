import { expect, layer } from "@effect/vitest"
import { databases } from "@parley/testkit/databases"
import { Effect, Layer, Ref } from "effect"
import * as Administration from "../../../src/administration/Administration.js"
import type { Inbound } from "../../../src/flows/inbound/Inbound.js"
import { AdminEndpoints } from "../../../src/flows/webhooks/AdminEndpoints.js"
import { EventType } from "../../../src/model/Event.js"
import type { Storage } from "../../../src/ports/Storage.js"
import * as Worker from "../../../src/queue/Worker.js"
import { AdminContacts } from "../../../src/resources/contacts/AdminContacts.js"
import { decodeContactInput, decodeContactPatch } from "../../../src/resources/contacts/ContactInput.js"
import { Contacts } from "../../../src/resources/contacts/Contacts.js"
import { decodeMergeInput } from "../../../src/resources/contacts/MergeInput.js"
import { AdminLeads } from "../../../src/resources/leads/AdminLeads.js"
import { decodeLeadPatch } from "../../../src/resources/leads/LeadInput.js"
import type { Leads } from "../../../src/resources/leads/Leads.js"
import type { Messages } from "../../../src/resources/messages/Messages.js"
import { accept, engine, eventually, Provider } from "../../harness.js"
import {
  idempotency,
  imported,
  newContact,
  newContactByHand,
  newLead,
  patch,
  receive,
  reference,
  rejected,
  reply,
  report,
  send
} from "./eventTriggers.js"
import {
  newWorkspaceFixture,
  type ReceiverName,
  recorded,
  type WorkspaceFixture,
  writesTogether
} from "./workspaceFixture.js"

type Services = Administration.Administration | Messages | Inbound | Contacts | Leads | Storage | Provider
interface Case {
  readonly type: EventType
  readonly by: string
  readonly happens: (fixture: WorkspaceFixture) => Effect.Effect<unknown, unknown, Services>
  readonly receivedBy: ReadonlyArray<ReceiverName>
  /** External reference of the message; absent if the body has no such field. */
  readonly reference?: string
  /** Expected number of events. Default: 1. */
  readonly times?: number
}

const connected: ReadonlyArray<ReceiverName> = ["owner", "neighbour"]
const everyEndpoint: ReadonlyArray<ReceiverName> = ["owner", "neighbour", "elsewhere", "live"]
const own: ReadonlyArray<ReceiverName> = ["owner"]
const failures: ReadonlyArray<ReceiverName> = ["owner", "owner, failures alone"]

const ofMessages = (["sent", "delivered", "read", "failed"] as const).flatMap((status): ReadonlyArray<Case> => {
  const type = `message.${status}` as const
  const fails = status === "failed"
  return [
    {
      type,
      by: "a receipt for an application's message",
      happens: (o) => report(o, send(o), status),
      receivedBy: fails ? failures : own,
      reference
    },
    {
      type,
      by: "a receipt for a live application's message",
      happens: (o) => report(o, send(o, o.live), status),
      receivedBy: ["live"],
      reference
    },
    {
      type,
      by: "a receipt for an agent's message",
      happens: (o) => report(o, reply(o), status),
      receivedBy: fails ? [...failures, "neighbour"] : connected
    }
  ]
})

const cases: ReadonlyArray<Case> = [
  { type: "message.received", by: "a customer", happens: receive, receivedBy: connected },
  { type: "message.queued", by: "an application", happens: (o) => send(o), receivedBy: own, reference },
  {
    type: "message.queued",
    by: "a live application",
    happens: (o) => send(o, o.live),
    receivedBy: ["live"],
    reference
  },
  { type: "message.queued", by: "an agent", happens: reply, receivedBy: connected },
  ...ofMessages,
  {
    type: "message.failed",
    by: "a provider that rejects it",
    happens: (o) =>
      Effect.gen(function* () {
        const { answer } = yield* Provider
        yield* Ref.set(answer, () => Effect.succeed(rejected))
        yield* send(o)
        yield* eventually(o.reported("message.failed"), (all) => all.length > 0)
        yield* Ref.set(answer, accept)
      }),
    receivedBy: failures,
    reference
  },
  { type: "conversation.created", by: "a customer", happens: receive, receivedBy: connected },
  { type: "conversation.created", by: "an application", happens: (o) => send(o), receivedBy: connected },
  { type: "conversation.created", by: "a live application", happens: (o) => send(o, o.live), receivedBy: ["live"] },
  {
    type: "conversation.assigned",
    by: "an agent",
    happens: (o) => patch({ assigned_user_id: o.agent.id })(o),
    receivedBy: connected
  },
  { type: "conversation.status_changed", by: "an agent", happens: patch({ status: "closed" }), receivedBy: connected },
  {
    type: "conversation.status_changed",
    by: "an agent, then a customer",
    happens: (o) => Effect.zipRight(patch({ status: "resolved" })(o), receive(o, "in-2")),
    receivedBy: connected,
    times: 2
  },
  { type: "contact.created", by: "a customer", happens: receive, receivedBy: everyEndpoint },
  { type: "contact.created", by: "a send", happens: (o) => send(o), receivedBy: everyEndpoint },
  { type: "contact.created", by: "an application", happens: newContact, receivedBy: everyEndpoint },
  {
    type: "contact.updated",
    by: "a customer on a new channel",
    happens: (o) => Effect.zipRight(newContact(o), receive(o)),
    receivedBy: everyEndpoint
  },
  {
    type: "contact.updated",
    by: "a send on a new channel",
    happens: (o) => Effect.zipRight(newContact(o), send(o)),
    receivedBy: everyEndpoint
  },
  { type: "contact.created", by: "an administrator", happens: newContactByHand, receivedBy: everyEndpoint },
  { type: "contact.created", by: "an import", happens: imported, receivedBy: everyEndpoint },
  {
    type: "contact.updated",
    by: "an administrator",
    happens: (o) =>
      Effect.flatMap(newContact(o), (id) =>
        Effect.flatMap(AdminContacts, (contacts) => contacts.update(id, decodeContactPatch({ first_name: "Ada" })))
      ),
    receivedBy: everyEndpoint
  },
  {
    type: "contact.updated",
    by: "a merge",
    happens: (o) =>
      Effect.gen(function* () {
        const id = yield* newContact(o)
        const decoded = decodeContactInput({ email: "ada@example.org", first_name: "Ada" })
        const { body } = yield* (yield* Contacts).create(o.owner, {
          decoded,
          idempotency: { ...idempotency, key: "other" }
        })
        yield* (yield* AdminContacts).merge(id, decodeMergeInput({ contact_id: JSON.parse(body).data.id }))
      }),
    receivedBy: everyEndpoint
  },
  { type: "lead.created", by: "an application", happens: newLead, receivedBy: everyEndpoint },
  {
    type: "lead.stage_changed",
    by: "an administrator",
    happens: (o) =>
      Effect.flatMap(newLead(o), (id) =>
        Effect.flatMap(AdminLeads, (all) => all.update(id, decodeLeadPatch({ stage: "won" })))
      ),
    receivedBy: everyEndpoint
  },
  {
    type: "webhook.test",
    by: "an administrator",
    happens: ({ endpoints }) =>
      Effect.flatMap(AdminEndpoints, (all) =>
        all.test(endpoints.find(({ name }) => name === "owner, failures alone")?.endpoint.id ?? "")
      ),
    receivedBy: ["owner, failures alone"]
  }
]
/**
 * The events of bots are tested with the bots, those of enqueued requests in `enqueue.test.ts` of the package
 * `@parley/embed`.
 */
const notReceived = ["bot.started", "bot.handoff", "bot.completed", "enqueued.failed"]

for (const [name, opened] of databases) {
  const { commits, storage } = recorded(opened)
  // Hands replies over.
  const worker = Worker.layer(["sends"])
  const live = Layer.merge(Administration.layer, worker).pipe(Layer.provideMerge(engine(storage)))
  layer(live, { excludeTestServices: true, timeout: 60_000 })(`events on ${name}`, (it) => {
    it("have a case for each type", () => {
      const types = new Set<string>([...cases.map(({ type }) => type), ...notReceived])
      expect([...types].sort()).toEqual([...EventType.literals].sort())
    })
    for (const { by, happens, receivedBy, reference, times = 1, type } of cases) {
      it.effect(
        `${type} by ${by} is in the commit of its change and goes to the right endpoints`,
        () =>
          Effect.gen(function* () {
            const fixture = yield* newWorkspaceFixture
            yield* happens(fixture)
            const reported = yield* eventually(fixture.reported(type), (all) => all.length >= times)
            expect(reported).toHaveLength(times)
            for (const { event, receivers } of reported) {
              expect(receivers).toEqual(receivedBy)
              expect([event.hasExternalReference, event.externalReference]).toEqual([
                reference !== undefined,
                reference ?? null
              ])
              expect(commits.filter((changes) => writesTogether(changes, event))).toHaveLength(1)
            }
          }),
        { timeout: 60_000 }
      )
    }
  })
}
