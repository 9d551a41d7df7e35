import { Effect } from "effect"
import { AdminConversations } from "../../../src/flows/agentReplies/AdminConversations.js"
import { decodeReplyInput } from "../../../src/flows/agentReplies/ReplyInput.js"
import { Inbound } from "../../../src/flows/inbound/Inbound.js"
import { AdminMessages } from "../../../src/flows/messageAdmin/AdminMessages.js"
import { partialDecode } from "../../../src/kernel/input/PartialDecode.js"
import type { Receipt } from "../../../src/model/Message.js"
import { SendOutcome } from "../../../src/ports/ChannelProvider.js"
import { readById, Storage } from "../../../src/ports/Storage.js"
import type { Caller } from "../../../src/resources/access/Caller.js"
import { fingerprint } from "../../../src/resources/access/fingerprint.js"
import { AdminContacts } from "../../../src/resources/contacts/AdminContacts.js"
import { ContactImports } from "../../../src/resources/contacts/ContactImports.js"
import { decodeAdminContactInput, decodeContactInput } from "../../../src/resources/contacts/ContactInput.js"
import { Contacts } from "../../../src/resources/contacts/Contacts.js"
import { ImportInput } from "../../../src/resources/contacts/ImportInput.js"
import { decodeConversationPatch } from "../../../src/resources/conversations/ConversationInput.js"
import { decodeLeadInput } from "../../../src/resources/leads/LeadInput.js"
import { Leads } from "../../../src/resources/leads/Leads.js"
import { Messages } from "../../../src/resources/messages/Messages.js"
import { decodeSendMessageInput } from "../../../src/resources/messages/SendMessageInput.js"
import { eventually } from "../../harness.js"
import type { WorkspaceFixture } from "./workspaceFixture.js"

const handle = "+491701000001"
export const reference = "order-1"
export const idempotency = { key: "key", fingerprint: fingerprint("POST", "/", {}) }

export const send = ({ connection, liveConnection, owner }: WorkspaceFixture, caller: Caller = owner, to = handle) =>
  Effect.gen(function* () {
    const connection_id = caller === owner ? connection.id : liveConnection.id
    const message = { body: "hello" }
    const json = { channel: "whatsapp", to, type: "text", external_reference: reference, connection_id, message }
    const { body } = yield* (yield* Messages).send(caller, {
      decoded: decodeSendMessageInput(json),
      idempotency: { ...idempotency, key: `send ${to}` },
      requestId: "request"
    })
    return JSON.parse(body).data as { readonly message_id: string; readonly conversation_id: string }
  })
export const receive = ({ connection }: WorkspaceFixture, id = "in-1") =>
  Effect.flatMap(Inbound, (inbound) =>
    inbound.receive(connection, { providerMessageId: id, from: handle, body: "hi", displayName: null })
  )
export const reply = (fixture: WorkspaceFixture) =>
  Effect.gen(function* () {
    const { conversationId } = yield* receive(fixture)
    const decoded = decodeReplyInput({ body: "hello", agent_id: fixture.agent.id })
    const { id } = yield* (yield* AdminMessages).reply(conversationId, decoded)
    return { message_id: id }
  })

/** A provider's receipt for a message that it has accepted. */
export const report = (
  fixture: WorkspaceFixture,
  sent: Effect.Effect<{ readonly message_id: string }, unknown, any>,
  status: Receipt["status"]
) =>
  Effect.gen(function* () {
    const { message_id } = yield* sent
    const storage = yield* Storage
    const message = yield* eventually(readById(storage, "messages", message_id), (one) => one?.status === "sent")
    yield* (yield* Inbound).applyReceipt({
      workspaceId: fixture.workspace.id,
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
export const patch = (json: { readonly [field: string]: unknown }) => (fixture: WorkspaceFixture) =>
  Effect.gen(function* () {
    const { conversationId } = yield* receive(fixture)
    yield* (yield* AdminConversations).update(conversationId, decodeConversationPatch(json))
    return conversationId
  })
export const newContact = ({ owner }: WorkspaceFixture) =>
  Effect.flatMap(Contacts, (contacts) =>
    Effect.map(
      contacts.create(owner, { decoded: decodeContactInput({ phone: handle }), idempotency }),
      ({ body }) => JSON.parse(body).data.id as string
    )
  )
export const newContactByHand = ({ workspace }: WorkspaceFixture) =>
  Effect.flatMap(AdminContacts, (contacts) =>
    contacts.create(decodeAdminContactInput({ workspace_id: workspace.id, phone: handle }))
  )
export const imported = ({ workspace }: WorkspaceFixture) =>
  Effect.flatMap(ContactImports, (imports) =>
    imports.run(partialDecode(ImportInput)({ workspace_id: workspace.id, contacts: [{ phone: handle }] }))
  )
export const newLead = (fixture: WorkspaceFixture) =>
  Effect.gen(function* () {
    const contact_id = yield* newContact(fixture)
    const { body } = yield* (yield* Leads).create(fixture.owner, {
      decoded: decodeLeadInput({ contact_id }),
      idempotency: { ...idempotency, key: "lead" }
    })
    return JSON.parse(body).data.id as string
  })
