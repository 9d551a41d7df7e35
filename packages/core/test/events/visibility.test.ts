import { expect, layer } from "@effect/vitest"
import { databases } from "@parley/testkit"
import { Effect, Layer, Ref } from "effect"
import * as Administration from "../../src/admin/Administration.js"
import { AdminContacts } from "../../src/admin/contacts/AdminContacts.js"
import { mergeDraft } from "../../src/admin/contacts/MergeInput.js"
import { AdminEndpoints } from "../../src/admin/endpoints/AdminEndpoints.js"
import { AdminLeads } from "../../src/admin/leads/AdminLeads.js"
import { contactDraft, contactPatchDraft } from "../../src/contacts/ContactInput.js"
import { Contacts } from "../../src/contacts/Contacts.js"
import { EventType } from "../../src/events/Event.js"
import type { Inbound } from "../../src/inbound/Inbound.js"
import { leadPatchDraft } from "../../src/leads/LeadInput.js"
import type { Leads } from "../../src/leads/Leads.js"
import type { Messages } from "../../src/messages/Messages.js"
import type { Storage } from "../../src/ports/Storage.js"
import { accept, engine, eventually, Provider } from "../harness.js"
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
} from "./deeds.js"
import { type Listener, newOffice, type Office, recorded, writesTogether } from "./office.js"

type Services = Administration.Administration | Messages | Inbound | Contacts | Leads | Storage | Provider
interface Case {
  readonly type: EventType
  readonly by: string
  readonly happens: (office: Office) => Effect.Effect<unknown, unknown, Services>
  readonly heardBy: ReadonlyArray<Listener>
  /** Of the application that sent the message; left out where the body has no such field. */
  readonly reference?: string
  /** How many such events there are; one where it is left out. */
  readonly times?: number
}

const connected: ReadonlyArray<Listener> = ["owner", "neighbour"]
const everybody: ReadonlyArray<Listener> = ["owner", "neighbour", "elsewhere", "live"]
const own: ReadonlyArray<Listener> = ["owner"]
const failures: ReadonlyArray<Listener> = ["owner", "owner, failures alone"]

const ofMessages = (["sent", "delivered", "read", "failed"] as const).flatMap((status): ReadonlyArray<Case> => {
  const type = `message.${status}` as const
  const fails = status === "failed"
  return [
    {
      type,
      by: "a receipt for an application's",
      happens: (o) => report(o, send(o), status),
      heardBy: fails ? failures : own,
      reference
    },
    {
      type,
      by: "a receipt for a live application's",
      happens: (o) => report(o, send(o, o.live), status),
      heardBy: ["live"],
      reference
    },
    {
      type,
      by: "a receipt for an agent's",
      happens: (o) => report(o, reply(o), status),
      heardBy: fails ? [...failures, "neighbour"] : connected
    }
  ]
})

const cases: ReadonlyArray<Case> = [
  { type: "message.received", by: "a customer", happens: receive, heardBy: connected },
  { type: "message.queued", by: "an application", happens: (o) => send(o), heardBy: own, reference },
  { type: "message.queued", by: "a live application", happens: (o) => send(o, o.live), heardBy: ["live"], reference },
  { type: "message.queued", by: "an agent", happens: reply, heardBy: connected },
  ...ofMessages,
  {
    type: "message.failed",
    by: "a provider that rejects it",
    happens: (o) =>
      Effect.gen(function* () {
        const { answer } = yield* Provider
        yield* Ref.set(answer, () => Effect.succeed(rejected))
        yield* send(o)
        yield* eventually(o.told("message.failed"), (all) => all.length > 0)
        yield* Ref.set(answer, accept)
      }),
    heardBy: failures,
    reference
  },
  { type: "conversation.created", by: "a customer", happens: receive, heardBy: connected },
  { type: "conversation.created", by: "an application", happens: (o) => send(o), heardBy: connected },
  { type: "conversation.created", by: "a live application", happens: (o) => send(o, o.live), heardBy: ["live"] },
  {
    type: "conversation.assigned",
    by: "an agent",
    happens: (o) => patch({ assigned_user_id: o.agent.id })(o),
    heardBy: connected
  },
  { type: "conversation.status_changed", by: "an agent", happens: patch({ status: "closed" }), heardBy: connected },
  {
    type: "conversation.status_changed",
    by: "an agent, then a customer",
    happens: (o) => Effect.zipRight(patch({ status: "resolved" })(o), receive(o, "in-2")),
    heardBy: connected,
    times: 2
  },
  { type: "contact.created", by: "a customer", happens: receive, heardBy: everybody },
  { type: "contact.created", by: "a send", happens: (o) => send(o), heardBy: everybody },
  { type: "contact.created", by: "an application", happens: newContact, heardBy: everybody },
  {
    type: "contact.updated",
    by: "a customer on a new channel",
    happens: (o) => Effect.zipRight(newContact(o), receive(o)),
    heardBy: everybody
  },
  {
    type: "contact.updated",
    by: "a send on a new channel",
    happens: (o) => Effect.zipRight(newContact(o), send(o)),
    heardBy: everybody
  },
  { type: "contact.created", by: "an administrator", happens: newContactByHand, heardBy: everybody },
  { type: "contact.created", by: "an import", happens: imported, heardBy: everybody },
  {
    type: "contact.updated",
    by: "an administrator",
    happens: (o) =>
      Effect.flatMap(newContact(o), (id) =>
        Effect.flatMap(AdminContacts, (contacts) => contacts.update(id, contactPatchDraft({ first_name: "Ada" })))
      ),
    heardBy: everybody
  },
  {
    type: "contact.updated",
    by: "a merge",
    happens: (o) =>
      Effect.gen(function* () {
        const id = yield* newContact(o)
        const draft = contactDraft({ email: "ada@example.org", first_name: "Ada" })
        const { body } = yield* (yield* Contacts).create(o.owner, {
          draft,
          idempotency: { ...idempotency, key: "other" }
        })
        yield* (yield* AdminContacts).merge(id, mergeDraft({ contact_id: JSON.parse(body).data.id }))
      }),
    heardBy: everybody
  },
  { type: "lead.created", by: "an application", happens: newLead, heardBy: everybody },
  {
    type: "lead.stage_changed",
    by: "an administrator",
    happens: (o) =>
      Effect.flatMap(newLead(o), (id) =>
        Effect.flatMap(AdminLeads, (all) => all.update(id, leadPatchDraft({ stage: "won" })))
      ),
    heardBy: everybody
  },
  {
    type: "webhook.test",
    by: "an administrator",
    happens: ({ endpoints }) =>
      Effect.flatMap(AdminEndpoints, (all) =>
        all.test(endpoints.find(({ name }) => name === "owner, failures alone")?.endpoint.id ?? "")
      ),
    heardBy: ["owner, failures alone"]
  }
]
/** Nothing brings them about yet. */
const unheard = ["bot.started", "bot.handoff", "bot.completed"]

for (const [name, opened] of databases) {
  const { commits, storage } = recorded(opened)
  const live = Administration.layer.pipe(Layer.provideMerge(engine(storage)))
  layer(live, { excludeTestServices: true, timeout: 60_000 })(`events on ${name}`, (it) => {
    it("are all brought about", () => {
      const types = new Set<string>([...cases.map(({ type }) => type), ...unheard])
      expect([...types].sort()).toEqual([...EventType.literals].sort())
    })
    for (const { by, happens, heardBy, reference, times = 1, type } of cases) {
      it.effect(
        `${type} by ${by} is told with its change, to whom it concerns`,
        () =>
          Effect.gen(function* () {
            const office = yield* newOffice
            yield* happens(office)
            const told = yield* eventually(office.told(type), (all) => all.length >= times)
            expect(told).toHaveLength(times)
            for (const { event, hearers } of told) {
              expect(hearers).toEqual(heardBy)
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
