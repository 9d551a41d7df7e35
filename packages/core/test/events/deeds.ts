import { Effect } from "effect"
import type { Caller } from "../../src/access/Caller.js"
import { fingerprint } from "../../src/access/fingerprint.js"
import { AdminContacts } from "../../src/admin/contacts/AdminContacts.js"
import { ContactImports } from "../../src/admin/contacts/ContactImports.js"
import { ImportInput } from "../../src/admin/contacts/ImportInput.js"
import { AdminConversations } from "../../src/admin/conversations/AdminConversations.js"
import { AdminMessages } from "../../src/admin/messages/AdminMessages.js"
import { adminContactDraft, contactDraft } from "../../src/contacts/ContactInput.js"
import { Contacts } from "../../src/contacts/Contacts.js"
import { conversationPatchDraft } from "../../src/conversations/ConversationInput.js"
import { Inbound } from "../../src/inbound/Inbound.js"
import { draft } from "../../src/input/Draft.js"
import { leadDraft } from "../../src/leads/LeadInput.js"
import { Leads } from "../../src/leads/Leads.js"
import type { Receipt } from "../../src/messages/Message.js"
import { Messages } from "../../src/messages/Messages.js"
import { replyDraft } from "../../src/messages/ReplyInput.js"
import { sendMessageDraft } from "../../src/messages/SendMessageInput.js"
import { SendOutcome } from "../../src/ports/ChannelProvider.js"
import { readById, Storage } from "../../src/ports/Storage.js"
import { eventually } from "../harness.js"
import type { Office } from "./office.js"

const handle = "+491701000001"
export const reference = "order-1"
export const idempotency = { key: "key", fingerprint: fingerprint("POST", "/", {}) }

export const send = ({ connection, liveConnection, owner }: Office, caller: Caller = owner, to = handle) =>
  Effect.gen(function* () {
    const connection_id = caller === owner ? connection.id : liveConnection.id
    const message = { body: "hello" }
    const json = { channel: "whatsapp", to, type: "text", external_reference: reference, connection_id, message }
    const { body } = yield* (yield* Messages).send(caller, {
      draft: sendMessageDraft(json),
      idempotency: { ...idempotency, key: `send ${to}` },
      requestId: "request"
    })
    return JSON.parse(body).data as { readonly message_id: string; readonly conversation_id: string }
  })
export const receive = ({ connection }: Office, id = "in-1") =>
  Effect.flatMap(Inbound, (inbound) =>
    inbound.receive(connection, { providerMessageId: id, from: handle, body: "hi", displayName: null })
  )
export const reply = (office: Office) =>
  Effect.gen(function* () {
    const { conversationId } = yield* receive(office)
    const draft = replyDraft({ body: "hello", agent_id: office.agent.id })
    const { body } = yield* (yield* AdminMessages).reply(conversationId, { draft, idempotency: null })
    return { message_id: JSON.parse(body).data.id as string }
  })

/** What the provider reports of a message once it has accepted it. */
export const report = (
  office: Office,
  sent: Effect.Effect<{ readonly message_id: string }, unknown, any>,
  status: Receipt["status"]
) =>
  Effect.gen(function* () {
    const { message_id } = yield* sent
    const storage = yield* Storage
    const message = yield* eventually(readById(storage, "messages", message_id), (one) => one?.status === "sent")
    yield* (yield* Inbound).receipt({
      workspaceId: office.workspace.id,
      connectionId: message?.connectionId ?? "",
      providerMessageId: message?.providerMessageId ?? "",
      receipt: { status, at: Date.now(), error: null },
      settle: null
    })
  })
export const rejected = SendOutcome.Rejected({
  scope: "recipient",
  code: "provider_error",
  providerCode: "1",
  providerMessage: ""
})
export const patch = (json: { readonly [field: string]: unknown }) => (office: Office) =>
  Effect.gen(function* () {
    const { conversationId } = yield* receive(office)
    yield* (yield* AdminConversations).update(conversationId, conversationPatchDraft(json))
    return conversationId
  })
export const newContact = ({ owner }: Office) =>
  Effect.flatMap(Contacts, (contacts) =>
    Effect.map(
      contacts.create(owner, { draft: contactDraft({ phone: handle }), idempotency }),
      ({ body }) => JSON.parse(body).data.id as string
    )
  )
export const newContactByHand = ({ workspace }: Office) =>
  Effect.flatMap(AdminContacts, (contacts) =>
    contacts.create({ draft: adminContactDraft({ workspace_id: workspace.id, phone: handle }), idempotency: null })
  )
export const imported = ({ workspace }: Office) =>
  Effect.flatMap(ContactImports, (imports) =>
    imports.run(draft(ImportInput)({ workspace_id: workspace.id, contacts: [{ phone: handle }] }))
  )
export const newLead = (office: Office) =>
  Effect.gen(function* () {
    const contact_id = yield* newContact(office)
    const { body } = yield* (yield* Leads).create(office.owner, {
      draft: leadDraft({ contact_id }),
      idempotency: { ...idempotency, key: "lead" }
    })
    return JSON.parse(body).data.id as string
  })
