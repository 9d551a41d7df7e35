import { expect, layer } from "@effect/vitest"
import { databases } from "@parley/testkit/databases"
import { aBot, aConnection, aConversation, anAgent, aTemplate } from "@parley/testkit/rows"
import { Effect, Ref, TestClock } from "effect"
import { Inbound } from "../../../../src/flows/inbound/Inbound.js"
import type { InboundMessage } from "../../../../src/flows/inbound/InboundMessage.js"
import type { Action, SendMessage } from "../../../../src/model/Action.js"
import type { Channel } from "../../../../src/model/Channel.js"
import { InboundEvent } from "../../../../src/model/InboundEvent.js"
import { minute, second } from "../../../../src/model/Instant.js"
import type { Script } from "../../../../src/model/Script.js"
import type { Template } from "../../../../src/model/Template.js"
import { changes, expect as expected, row, set } from "../../../../src/ports/Changes.js"
import { SendOutcome } from "../../../../src/ports/ChannelProvider.js"
import { Ids } from "../../../../src/ports/Ids.js"
import { lookup, readById, Storage } from "../../../../src/ports/Storage.js"
import { newTenant, Provider, type Tenant } from "../../../harness.js"
import {
  anAction,
  contactNow,
  happens,
  newContact,
  newPipeline,
  newWorkflow,
  onlyRun,
  rowsOf,
  runDesk,
  runDue,
  workDue
} from "../runDesk.js"

const send = (more: Partial<SendMessage> = {}): Action =>
  anAction({
    type: "send_message",
    channel: "whatsapp",
    connectionId: null,
    content: { type: "text", body: "Hi {{contact.first_name}}", subject: null },
    wanted: null,
    ...more
  })
const template = (variables: ReadonlyArray<string>): SendMessage["content"] => ({
  type: "template",
  template: "hello",
  language: null,
  variables
})

/** A bot that asks for a number. */
const asking: Script = {
  start: { keywords: [], newConversationOn: [] },
  greeting: null,
  steps: [
    {
      key: "count",
      type: "ask",
      text: "How many?",
      expected: { type: "number", min: null, max: null },
      invalid: null,
      tries: 2,
      goTo: null
    }
  ],
  timeOutMs: minute,
  timeOutText: null
}

/** Runs a workflow with these actions until it waits or ends. Returns the run. */
const runOf = (
  tenant: Tenant,
  actions: ReadonlyArray<Action>,
  contact: Parameters<typeof contactNow>[0],
  data: object = {}
) =>
  Effect.gen(function* () {
    const workflow = yield* newWorkflow(tenant, actions)
    yield* happens(tenant, workflow.eventName, contact, `key ${workflow.id}`, { data })
    yield* runDue(tenant)
    const run = (yield* rowsOf(tenant, "workflowRuns")).at(-1)
    return run ?? (yield* Effect.die("there is no run"))
  })

const alsoOn = (
  tenant: Tenant,
  channel: Channel,
  provider = tenant.connection.provider,
  config = tenant.connection.config
) =>
  Effect.gen(function* () {
    const id = (yield* Ids).next(1_700_000_000_000)
    const { application, connection, workspace } = tenant
    const other = aConnection({ ...connection, id, channel, provider, config })
    yield* (yield* Storage).commit(
      changes(workspace.id, {
        expects: [expected("applications", { id: application.id })],
        sets: [set("applications", { id: application.id }, { connectionIds: [connection.id, id] })],
        inserts: [row("connections", other)]
      })
    )
    return other
  })

for (const [name, storage] of databases) {
  layer(runDesk(storage))(`actions on ${name}`, (it) => {
    it.effect("send templates with variables and emit the events of a send", () =>
      Effect.gen(function* () {
        const tenant = yield* newTenant
        const contact = yield* newContact(tenant)
        const run = yield* runOf(tenant, [send({ content: template(["{{data.order.id}}"]) })], contact, {
          order: { id: 7 }
        })
        expect(run.status).toBe("completed")
        expect(yield* rowsOf(tenant, "messages")).toMatchObject([
          { templateName: "hello", variables: ["7"], body: "Hi 7" }
        ])
        const [event] = (yield* rowsOf(tenant, "events")).filter(({ type }) => type === "message.queued")
        expect(event).toMatchObject({ applicationId: tenant.application.id, hasExternalReference: false })
      })
    )

    it.effect("send in the conversation on their connection where handles are no identities", () =>
      Effect.gen(function* () {
        const tenant = yield* newTenant
        const contact = yield* newContact(tenant)
        const ids = yield* Ids
        const kiosks = [
          yield* alsoOn(tenant, "kiosk", "declaring"),
          yield* alsoOn(tenant, "kiosk", "declaring")
        ] as const
        const conversations = kiosks.map(({ channel, id: connectionId, workspaceId }, at) =>
          aConversation({
            ...{ id: ids.next(1_700_000_000_000), workspaceId, connectionId, channel, contactId: contact.id },
            ...{ handle: "visitor 7", lastActivityAt: at }
          })
        )
        yield* (yield* Storage).commit(
          changes(tenant.workspace.id, {
            expects: [expected("applications", { id: tenant.application.id })],
            sets: [set("applications", { id: tenant.application.id }, { connectionIds: kiosks.map(({ id }) => id) })],
            claims: conversations.map((conversation) => row("conversations", conversation))
          })
        )
        const connectionId = kiosks[0].id
        const run = yield* runOf(tenant, [send({ channel: "kiosk", connectionId })], contact)
        expect(run.status).toBe("completed")
        expect(yield* rowsOf(tenant, "messages")).toMatchObject([
          { connectionId, conversationId: conversations[0]?.id, contactId: contact.id }
        ])
      })
    )

    it.effect("send files and choices with placeholders, and quote the message that the event names", () =>
      Effect.gen(function* () {
        const tenant = yield* newTenant
        const contact = yield* newContact(tenant, { firstName: "A/B" })
        const { id } = tenant.connection
        yield* (yield* Storage).commit(
          changes(tenant.workspace.id, {
            expects: [expected("connections", { id })],
            sets: [set("connections", { id }, { provider: "choosing" })]
          })
        )
        yield* runOf(tenant, [send()], contact)
        yield* workDue(tenant, "sends")
        const [earlier] = yield* rowsOf(tenant, "messages")
        const options = [{ id: "{{data.day}}", title: "On {{data.day}}", description: null }]
        const choices: SendMessage["content"] = {
          type: "choices",
          body: "When, {{contact.first_name}}?",
          subject: null,
          content: { type: "choices", options, button: null }
        }
        const data = { day: "Monday", message: earlier?.id }
        const question = yield* runOf(tenant, [send({ content: choices, quoted: "{{data.message}}" })], contact, data)
        expect(question.status).toBe("completed")
        expect((yield* rowsOf(tenant, "messages")).at(-1)).toMatchObject({
          type: "choices",
          body: "When, A/B?",
          content: { type: "choices", options: [{ id: "Monday", title: "On Monday" }] },
          envelope: { quoted: { messageId: earlier?.id } }
        })

        const files = [
          { url: "https://shop.example/{{contact.first_name}}/1.pdf", contentType: "application/pdf", fileName: null }
        ]
        const media: SendMessage["content"] = { type: "media", body: "Bill {{data.day}}", subject: null, files }
        expect((yield* runOf(tenant, [send({ content: media })], contact)).reason).toBe(
          "validation_failed: type must be one of text, choices on this channel"
        )
        yield* (yield* Storage).commit(
          changes(tenant.workspace.id, {
            expects: [expected("connections", { id })],
            sets: [set("connections", { id }, { provider: "scripted" })]
          })
        )
        expect((yield* runOf(tenant, [send({ content: media })], contact, data)).status).toBe("completed")
        const sent = (yield* rowsOf(tenant, "messages")).at(-1)
        expect(sent).toMatchObject({ type: "media", body: "Bill Monday", attachments: [{ type: "document" }] })
        expect(yield* rowsOf(tenant, "attachedFiles")).toMatchObject([
          { messageId: sent?.id, reference: "https://shop.example/A%2FB/1.pdf" }
        ])
        const place = { type: "location", latitude: 1, longitude: 2, name: null, address: null, url: null } as const
        const location: SendMessage["content"] = { type: "location", body: null, subject: null, content: place }
        expect((yield* runOf(tenant, [send({ content: location })], contact)).reason).toBe(
          "validation_failed: type must be one of text, template, media on this channel"
        )
      })
    )

    it.effect("fill the header and the buttons of templates", () =>
      Effect.gen(function* () {
        const tenant = yield* newTenant
        const contact = yield* newContact(tenant)
        const parts: Template["parts"] = {
          header: { type: "text", text: "Order {{1}}" },
          footer: null,
          buttons: [{ type: "url", text: "Track", url: "https://shop.example/{{1}}" }],
          named: false
        }
        const workspaceId = tenant.workspace.id
        const tracked = aTemplate({ id: (yield* Ids).next(0), workspaceId, name: "tracked", body: "Hi {{1}}", parts })
        yield* (yield* Storage).commit(changes(workspaceId, { claims: [row("templates", tracked)] }))
        const filled: SendMessage["content"] = {
          ...{ type: "template", template: "tracked", language: null, variables: ["{{contact.first_name}}"] },
          ...{ headerVariable: "{{data.id}}", buttonVariables: ["o-{{data.id}}"] }
        }
        yield* runOf(tenant, [send({ content: filled })], contact, { id: 7 })
        expect(yield* rowsOf(tenant, "messages")).toMatchObject([
          { body: "Hi Ada", content: { header: "7", buttons: [{ index: 0, type: "url", value: "o-7" }] } }
        ])
        const { headerVariable: _, ...headless } = filled as typeof filled & { readonly headerVariable: string }
        expect((yield* runOf(tenant, [send({ content: headless })], contact)).reason).toBe(
          "validation_failed: message.header_variable is required: the header of this template has a slot"
        )
      })
    )

    it.effect("fill the cards of templates and name the products of their buttons", () =>
      Effect.gen(function* () {
        const tenant = yield* newTenant
        const contact = yield* newContact(tenant)
        const workspaceId = tenant.workspace.id
        const none = { header: null, footer: null, named: false } as const
        const next = (yield* Ids).next
        const cards = aTemplate({
          ...{ id: next(0), workspaceId, name: "cards", body: "New" },
          parts: {
            ...{ ...none, buttons: [] },
            cards: [{ header: "image", body: "{{1}}", buttons: [{ type: "reply", text: "More", url: null }] }]
          }
        })
        const products = aTemplate({
          ...{ id: next(0), workspaceId, name: "products", body: "Bread" },
          parts: { ...none, buttons: [{ type: "products", text: "View", url: null }] }
        })
        for (const one of [cards, products]) {
          yield* (yield* Storage).commit(changes(workspaceId, { claims: [row("templates", one)] }))
        }
        const image = { url: "https://a.example/1.png", contentType: "image/png", fileName: null }
        const withCards: SendMessage["content"] = {
          ...{ type: "template", template: "cards", language: null, variables: [] },
          cards: [{ product: null, variables: ["For {{contact.first_name}}"], buttonVariables: ["more-{{data.id}}"] }],
          files: [image]
        }
        const withProducts: SendMessage["content"] = {
          ...{ type: "template", template: "products", language: null, variables: [] },
          products: { thumbnail: null, sections: [{ title: null, items: ["rye-{{data.id}}"] }] }
        }
        yield* runOf(tenant, [send({ content: withCards }), send({ content: withProducts })], contact, { id: 7 })
        expect(yield* rowsOf(tenant, "messages")).toMatchObject([
          { content: { cards: [{ variables: ["For Ada"], buttons: [{ type: "reply", value: "more-7" }] }] } },
          { content: { products: { sections: [{ items: ["rye-7"] }] } } }
        ])
      })
    )

    it.effect("fail with a reason if a message may not be sent, without stopping other runs", () =>
      Effect.gen(function* () {
        const tenant = yield* newTenant
        const contact = yield* newContact(tenant)
        const { id, workspaceId } = (yield* (yield* Storage).read({
          templates: lookup("templates", { workspaceId: tenant.workspace.id, channel: "whatsapp", name: "hello" })
        })).templates[0] as { readonly id: string; readonly workspaceId: string }
        yield* (yield* Storage).commit(
          changes(workspaceId, {
            expects: [expected("templates", { id })],
            sets: [set("templates", { id }, { status: "paused" })]
          })
        )
        const withdrawn = yield* runOf(tenant, [send({ content: template(["7"]) })], contact)
        expect(withdrawn).toMatchObject({ status: "failed", reason: expect.stringContaining("template_not_approved") })
        expect(yield* runOf(tenant, [send()], contact)).toMatchObject({ status: "completed" })
        const unreachable = yield* runOf(tenant, [send({ channel: "telegram" })], contact)
        expect(unreachable.reason).toBe("channel_unavailable: The contact has no address on telegram.")
        const optedOut = yield* newContact(tenant, { optedOut: true })
        expect((yield* runOf(tenant, [send()], optedOut)).reason).toBe(
          "validation_failed: to has opted out of messages"
        )
      })
    )

    it.effect("wait until a message reaches the wanted status, or fail after the time limit", () =>
      Effect.gen(function* () {
        const tenant = yield* newTenant
        const contact = yield* newContact(tenant)
        const wanted = { status: "sent" as const, withinMs: 10 * minute }
        yield* runOf(tenant, [send({ wanted })], contact)
        expect(yield* onlyRun(tenant)).toMatchObject({ status: "waiting", position: 0 })
        yield* workDue(tenant, "sends")
        yield* TestClock.adjust(second)
        yield* runDue(tenant)
        expect(yield* onlyRun(tenant)).toMatchObject({ status: "completed", steps: [{ outcome: "done" }] })

        const late = yield* runOf(
          tenant,
          [send({ wanted: { ...wanted, status: "delivered" } }), anAction({ type: "add_tag", tag: "unreached" })],
          contact
        )
        yield* workDue(tenant, "sends")
        for (let looks = 0; looks < 20; looks++) {
          yield* TestClock.adjust(minute)
          yield* runDue(tenant)
        }
        const runs = yield* rowsOf(tenant, "workflowRuns")
        expect(runs.find(({ id }) => id === late.id)).toMatchObject({
          status: "failed",
          reason: expect.stringMatching(/was not delivered in time$/)
        })
        const unsent = yield* runOf(tenant, [send({ wanted })], contact)
        yield* TestClock.adjust(10 * minute)
        yield* runDue(tenant)
        expect((yield* rowsOf(tenant, "workflowRuns")).find(({ id }) => id === unsent.id)).toMatchObject({
          status: "failed",
          reason: expect.stringMatching(/was not sent in time; it is still queued, and may still be sent$/)
        })
      })
    )

    it.effect("fail at once if the connection does not report the wanted status", () =>
      Effect.gen(function* () {
        const tenant = yield* newTenant
        yield* alsoOn(tenant, "email", tenant.connection.provider, { receipts: false })
        const contact = yield* newContact(tenant, { email: "ada@example.org" })
        const wanted = { status: "delivered", withinMs: 10 * minute } as const
        const sends = [send({ channel: "email", wanted }), send({ channel: "email" })]
        const run = yield* runOf(
          tenant,
          [{ ...(sends[0] as Action), onError: "continue" }, sends[1] as Action],
          contact
        )
        expect(run).toMatchObject({
          status: "completed",
          steps: [
            {
              outcome: "failed",
              detail: expect.stringMatching(/^queued the message .*, but its connection has no delivery_receipts$/)
            },
            { outcome: "done" }
          ]
        })
        expect(yield* rowsOf(tenant, "messages")).toHaveLength(2)
      })
    )

    it.effect("branch when the provider rejects a message", () =>
      Effect.gen(function* () {
        const tenant = yield* newTenant
        yield* alsoOn(tenant, "email")
        const contact = yield* newContact(tenant, { email: "ada@example.org" })
        const { answer } = yield* Provider
        const before = yield* Ref.getAndSet(answer, () =>
          Effect.succeed(
            SendOutcome.Rejected({
              scope: "recipient",
              code: "provider_error",
              providerCode: "1",
              providerMessage: "no"
            })
          )
        )
        const run = yield* runOf(
          tenant,
          [
            { ...send({ wanted: { status: "delivered", withinMs: minute } }), name: "whatsapp", onError: "continue" },
            anAction(
              {
                type: "send_email",
                connectionId: null,
                subject: "Order {{data.id}}\nagain",
                body: "It is on its way, {{contact.first_name}}",
                html: "<p>{{contact.first_name}}</p>",
                wanted: null
              },
              { if: { step: { failed: "whatsapp" } } }
            )
          ],
          { ...contact },
          { id: 7 }
        )
        yield* workDue(tenant, "sends")
        yield* TestClock.adjust(second)
        yield* runDue(tenant)
        yield* Ref.set(answer, before)
        expect((yield* rowsOf(tenant, "workflowRuns")).find(({ id }) => id === run.id)).toMatchObject({
          status: "completed",
          steps: [{ outcome: "failed" }, { outcome: "done" }]
        })
        expect((yield* rowsOf(tenant, "messages")).at(-1)).toMatchObject({
          subject: "Order 7 again",
          body: "It is on its way, Ada",
          html: "<p>Ada</p>"
        })
      })
    )

    it.effect("send to the preferred channel: where the contact wrote last", () =>
      Effect.gen(function* () {
        const tenant = yield* newTenant
        const email = yield* alsoOn(tenant, "email")
        const contact = yield* newContact(tenant, { email: "grace@example.org" })
        const conversation = aConversation({
          id: (yield* Ids).next(0),
          workspaceId: tenant.workspace.id,
          connectionId: email.id,
          channel: "email",
          handle: "grace@example.org",
          contactId: contact.id,
          lastInboundAt: 1
        })
        yield* runOf(tenant, [send({ channel: "preferred" })], contact)
        yield* (yield* Storage).commit(changes(tenant.workspace.id, { claims: [row("conversations", conversation)] }))
        yield* runOf(tenant, [send({ channel: "preferred" })], contact)
        const messages = yield* rowsOf(tenant, "messages")
        expect(messages.map(({ connectionId }) => connectionId)).toEqual([tenant.connection.id, email.id])
      })
    )

    it.effect("send to the customer's new number once the vendor has told of it", () =>
      Effect.gen(function* () {
        const tenant = yield* newTenant
        const contact = yield* newContact(tenant)
        const from = contact.identities[0]?.handle ?? ""
        // The number is a phone number too, as of a contact that an application created.
        const identities = [{ channel: "phone" as const, handle: from, displayName: null }, ...contact.identities]
        const key = { id: contact.id }
        yield* (yield* Storage).commit(
          changes(tenant.workspace.id, {
            expects: [expected("contacts", key)],
            sets: [set("contacts", key, { phone: from, identities })]
          })
        )
        const to = `${from.slice(0, -1)}${(Number(from.at(-1)) + 1) % 10}`
        const { take } = yield* Inbound
        const moved = InboundEvent.HandleChanged({ from, to })
        yield* take(tenant.connection, [moved, moved])
        yield* runOf(tenant, [send()], contact)
        const filter = { connectionIds: null, contactId: contact.id, status: null }
        const conversations = yield* (yield* Storage).listConversations(filter, null, 2)
        expect(conversations.map(({ handle }) => handle)).toEqual([to])
      })
    )

    it.effect("change the contact by the rules of its fields", () =>
      Effect.gen(function* () {
        const tenant = yield* newTenant
        const contact = yield* newContact(tenant, { tags: ["Old"] })
        const fields = { company: "{{data.company}}", lifecycle_stage: "customer" }
        yield* runOf(
          tenant,
          [anAction({ type: "remove_tag", tag: "old" }), anAction({ type: "update_contact", contact: fields })],
          contact,
          { company: "Acme" }
        )
        expect(yield* contactNow(contact)).toMatchObject({ tags: [], company: "Acme", lifecycleStage: "customer" })
        const customFields = (["number", "boolean", "text"] as const).map((type) =>
          row("customFields", { workspaceId: tenant.workspace.id, key: type, type, label: type })
        )
        yield* (yield* Storage).commit(changes(tenant.workspace.id, { claims: customFields }))
        const custom = { number: "{{data.n}}", boolean: "{{data.yes}}", text: "{{data.n}}" }
        yield* runOf(tenant, [anAction({ type: "update_contact", contact: { custom_fields: custom } })], contact, {
          n: 7.5,
          yes: true
        })
        expect((yield* contactNow(contact)).customFields).toEqual({ number: 7.5, boolean: true, text: "7.5" })
        const hexadecimal = yield* runOf(
          tenant,
          [anAction({ type: "update_contact", contact: { custom_fields: { number: "{{data.x}}" } } })],
          contact,
          { x: "0x1F" }
        )
        expect(hexadecimal.reason).toMatch(/^validation_failed: custom_fields.number must be a number/)
        const wrong = yield* runOf(
          tenant,
          [anAction({ type: "update_contact", contact: { lifecycle_stage: "{{data.x}}" } })],
          contact,
          { x: "vip" }
        )
        expect(wrong.reason).toMatch(/^validation_failed: lifecycle_stage must be one of/)
        const empty = yield* runOf(tenant, [anAction({ type: "add_tag", tag: "{{data.x}}" })], contact)
        expect(empty.reason).toMatch(/^validation_failed: tag must be/)
      })
    )

    it.effect("leave a field of the contact as it is if its placeholders give empty text", () =>
      Effect.gen(function* () {
        const tenant = yield* newTenant
        const given = { firstName: "Grace", email: "grace@example.org", company: "Acme", city: "Berlin" }
        const contact = yield* newContact(tenant, given)
        const plan = { workspaceId: tenant.workspace.id, key: "plan", type: "text" as const, label: "Plan" }
        yield* (yield* Storage).commit(changes(tenant.workspace.id, { claims: [row("customFields", plan)] }))
        const update = (fields: { readonly [field: string]: unknown }) =>
          runOf(tenant, [anAction({ type: "update_contact", contact: fields })], contact, { nothing: null, empty: " " })
        yield* update({ custom_fields: { plan: "gold" } })

        const missing = { email: "{{data.email}}", first_name: "{{data.nothing}}", company: "{{data.empty}}" }
        const run = yield* update({ ...missing, lifecycle_stage: "prospect", custom_fields: { plan: "{{data.plan}}" } })
        expect(run.steps).toMatchObject([
          {
            outcome: "done",
            detail:
              "updated lifecycle_stage; left email, first_name, company, custom_fields.plan unchanged, because the filled-in text is empty"
          }
        ])
        const expected = {
          firstName: "Grace",
          email: "grace@example.org",
          company: "Acme",
          customFields: { plan: "gold" }
        }
        expect(yield* contactNow(contact)).toMatchObject({ ...expected, lifecycleStage: "prospect" })
        const all = yield* update({ email: "{{data.email}}" })
        expect(all.steps).toMatchObject([
          { outcome: "done", detail: "left email unchanged, because the filled-in text is empty" }
        ])

        yield* update({ company: null, city: "", custom_fields: { plan: null } })
        expect(yield* contactNow(contact)).toMatchObject({ company: null, city: null, customFields: {} })
      })
    )

    it.effect("do not give a contact more tags than it may have", () =>
      Effect.gen(function* () {
        const tenant = yield* newTenant
        const contact = yield* newContact(tenant, { tags: Array.from({ length: 19 }, (_, n) => `tag ${n}`) })
        const add = (tag: string) => runOf(tenant, [anAction({ type: "add_tag", tag })], contact)
        expect(yield* add("twentieth")).toMatchObject({ status: "completed" })
        const refused = yield* add("another")
        expect(refused).toMatchObject({
          status: "failed",
          reason: "validation_failed: tag must leave the contact with at most 20 tags"
        })
        expect(yield* add("TAG 3")).toMatchObject({ status: "completed" })
        expect((yield* contactNow(contact)).tags).toHaveLength(20)
      })
    )

    it.effect("add tags of up to 100 characters, of whatever plane", () =>
      Effect.gen(function* () {
        const tenant = yield* newTenant
        const contact = yield* newContact(tenant)
        const add = (tag: string) => runOf(tenant, [anAction({ type: "add_tag", tag })], contact)
        const rockets = "\u{1F680}".repeat(100)
        expect(yield* add(rockets)).toMatchObject({ status: "completed" })
        expect((yield* contactNow(contact)).tags).toEqual([rockets])
        expect(yield* add(`${rockets}x`)).toMatchObject({ status: "failed" })
      })
    )

    it.effect("test the text of the customer's last message, not what is about a message", () =>
      Effect.gen(function* () {
        const tenant = yield* newTenant
        const contact = yield* newContact(tenant)
        const { receive } = yield* Inbound
        const from = contact.identities[0]?.handle ?? ""
        const writes = (providerMessageId: string, body: string, more: Partial<InboundMessage> = {}) =>
          receive(tenant.connection, { providerMessageId, from, body, displayName: null, ...more })
        const says = (text: string) =>
          Effect.map(
            runOf(tenant, [anAction({ type: "add_tag", tag: text }, { if: { keyword: { is: text } } })], contact),
            ({ steps }) => steps[0]?.outcome === "done"
          )
        const quoted = { providerMessageId: "2" }
        yield* writes("1", "No")
        yield* writes("2", "Yes")
        yield* writes("3", "👍", { content: { type: "reaction", emoji: "👍" }, quoted: { providerMessageId: "1" } })
        yield* writes("4", "Not here until Monday.", { automatic: true })
        yield* writes("5", "Came by shortlink", { content: { type: "system", event: "referral" } })
        yield* writes("6", "Never", { content: { type: "edit" }, quoted: { providerMessageId: "1" } })
        expect(yield* says("yes")).toBe(true)
        yield* writes("7", "Perhaps", { content: { type: "edit" }, quoted })
        expect(yield* says("perhaps")).toBe(true)
        yield* writes("8", "Message deleted", { content: { type: "deletion" }, quoted })
        expect(yield* says("message deleted")).toBe(false)
        expect(yield* says("perhaps")).toBe(false)
      })
    )

    it.effect("create leads and move the newest", () =>
      Effect.gen(function* () {
        const tenant = yield* newTenant
        const contact = yield* newContact(tenant)
        const pipelineId = yield* newPipeline(tenant, ["new", "won"])
        const lead = {
          type: "create_lead",
          pipelineId: null,
          stage: null,
          title: "{{data.title}}",
          value: "{{data.total}}",
          currency: "eur"
        } as const
        const run = yield* runOf(
          tenant,
          [
            anAction(lead),
            anAction({ type: "update_lead", pipelineId, stage: "won" }),
            anAction({ type: "add_tag", tag: "won" }, { if: { pipelineStage: { is: "won" } } })
          ],
          contact,
          { title: "Cake", total: 12.5 }
        )
        expect(run).toMatchObject({ status: "completed", steps: [{}, {}, { outcome: "done" }] })
        expect(yield* rowsOf(tenant, "leads")).toMatchObject([
          { title: "Cake", value: 12.5, currency: "EUR", pipelineId, stage: "won", contactId: contact.id }
        ])
        for (const title of ["much", "0x1F"]) {
          const wrong = yield* runOf(tenant, [anAction({ ...lead, value: "{{data.title}}" })], contact, { title })
          expect(wrong.reason).toMatch(/^validation_failed: value must be a number/)
        }
      })
    )

    it.effect("move the lead that the run created, although the contact has a newer one", () =>
      Effect.gen(function* () {
        const tenant = yield* newTenant
        const contact = yield* newContact(tenant)
        const pipelineId = yield* newPipeline(tenant, ["new", "won"])
        const elsewhere = yield* newPipeline(tenant, ["new"])
        const create = { type: "create_lead", stage: null, value: null, currency: null } as const
        const { eventName } = yield* newWorkflow(tenant, [
          anAction({ ...create, pipelineId, title: "{{data.order}}" }),
          anAction({ ...create, pipelineId: elsewhere, title: "elsewhere" }),
          anAction({ type: "wait", forMs: minute }),
          anAction(
            { type: "update_lead", pipelineId, stage: "won" },
            { if: { pipelineStage: { pipelineId, is: "new" } } }
          )
        ])
        for (const order of ["first", "second"]) {
          yield* happens(tenant, eventName, contact, order, { data: { order } })
          yield* runDue(tenant)
        }
        yield* TestClock.adjust(minute)
        yield* runDue(tenant)
        const leads = (yield* rowsOf(tenant, "leads")).filter((lead) => lead.pipelineId === pipelineId)
        expect(leads.map(({ stage, title }) => [title, stage]).sort()).toEqual([
          ["first", "won"],
          ["second", "won"]
        ])
      })
    )

    it.effect("assign the newest conversation visible to the application and start a bot in it", () =>
      Effect.gen(function* () {
        const tenant = yield* newTenant
        const contact = yield* newContact(tenant)
        const workspaceId = tenant.workspace.id
        const ids = yield* Ids
        const [agentId, botId] = [ids.next(0), ids.next(0)]
        yield* (yield* Storage).commit(
          changes(workspaceId, {
            expects: [expected("workspaces", { id: workspaceId })],
            inserts: [
              row("agents", anAgent({ id: agentId, workspaceId })),
              row("bots", aBot({ id: botId, workspaceId, script: asking }))
            ]
          })
        )
        const assign = anAction({ type: "assign", agentId, teamId: null })
        expect((yield* runOf(tenant, [assign], contact)).reason).toMatch(/has no conversation/)
        const start = anAction({ type: "start_bot", botId })
        const run = yield* runOf(tenant, [send(), start], contact)
        expect(run).toMatchObject({ status: "completed" })
        const [message] = yield* rowsOf(tenant, "messages")
        const conversation = () => readById(storageOf, "conversations", message?.conversationId)
        const storageOf = yield* Storage
        expect(yield* conversation()).toMatchObject({ assignedUserId: null, botSessionId: expect.any(String) })
        expect((yield* rowsOf(tenant, "messages")).map(({ body }) => body)).toEqual(["Hi Ada", "How many?"])
        expect((yield* runOf(tenant, [start], contact)).reason).toMatch(/A bot answers in the conversation already/)
        expect(yield* runOf(tenant, [assign], contact)).toMatchObject({ status: "completed" })
        // The assignment stops the bot.
        expect(yield* conversation()).toMatchObject({ assignedUserId: agentId, botSessionId: null })
        const types = (yield* rowsOf(tenant, "events")).map(({ type }) => type)
        expect(types).toEqual(expect.arrayContaining(["bot.started", "conversation.assigned", "bot.completed"]))
      })
    )

    it.effect("send to an address, and with a name, that an earlier action set", () =>
      Effect.gen(function* () {
        const tenant = yield* newTenant
        const unreachable = yield* newContact(tenant, { identities: [] })
        const update = anAction({
          type: "update_contact",
          contact: { first_name: "{{data.name}}", phone: "{{data.phone}}" }
        })
        const run = yield* runOf(tenant, [update, send()], unreachable, { name: "Grace", phone: "+4915155500123" })
        expect(run).toMatchObject({ status: "completed", reason: null })
        expect((yield* rowsOf(tenant, "messages")).map(({ body }) => body)).toEqual(["Hi Grace"])
      })
    )

    it.effect("start a bot with the contact as earlier actions changed it", () =>
      Effect.gen(function* () {
        const tenant = yield* newTenant
        const contact = yield* newContact(tenant)
        const workspaceId = tenant.workspace.id
        const botId = (yield* Ids).next(0)
        const script = { ...asking, greeting: "Hello {{contact.first_name}}!" }
        yield* (yield* Storage).commit(
          changes(workspaceId, {
            expects: [expected("workspaces", { id: workspaceId })],
            inserts: [row("bots", aBot({ id: botId, workspaceId, script }))]
          })
        )
        const start = anAction({ type: "start_bot", botId })
        const rename = anAction({ type: "update_contact", contact: { first_name: "Grace" } })
        yield* runOf(tenant, [send(), rename, start], contact)
        expect((yield* rowsOf(tenant, "messages")).map(({ body }) => body)).toContain("Hello Grace!")
      })
    )

    it.effect("notify the administrators", () =>
      Effect.gen(function* () {
        const tenant = yield* newTenant
        const contact = yield* newContact(tenant)
        const run = yield* runOf(tenant, [anAction({ type: "notify", message: "{{contact.name}} ordered" })], contact)
        expect(yield* rowsOf(tenant, "notifications")).toMatchObject([
          { kind: "workflow.notify", subjectId: run.id, message: expect.stringContaining("ordered") }
        ])
      })
    )
  })
}
