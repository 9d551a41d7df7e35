import type { Mutant } from "./Mutant.js"

/** Faults of customers' messages, opt-outs and erasures. */
export const inboundMutants: ReadonlyArray<Mutant> = [
  {
    name: "inbound-not-deduplicated",
    fault: "A redelivered message of a customer is stored again.",
    promise: "inbound-message-once",
    file: "core/src/flows/inbound/receiveMessage.ts",
    find: "if (world.message !== undefined) return",
    replacement: 'if (world.message?.id === "") return'
  },
  {
    name: "inbound-not-claimed",
    fault: "The provider's id of a customer's message is not stored.",
    promise: "inbound-message-once",
    file: "core/src/flows/inbound/receiveMessage.ts",
    find: "      claimProviderMessage(world.known, message, providerMessageId, now),\n",
    replacement: ""
  },
  {
    name: "inbound-acknowledged-before-stored",
    fault: "A customer's message that cannot be stored is acknowledged.",
    promise: "acknowledged-inbound-message-is-stored",
    file: "core/src/flows/inbound/receiveWebhook.ts",
    find: "([owner, events]) => taking.inbound.take(owner, events)",
    replacement: "([owner, events]) => Effect.ignore(taking.inbound.take(owner, events))"
  },
  {
    name: "inbound-event-missing",
    fault: "A customer's message emits no message.received.",
    promise: "event-delivered",
    file: "core/src/flows/inbound/receiveMessage.ts",
    find: `...opened.events, messageEvent("message.received", message, inbound.raw)]`,
    replacement: "...opened.events]"
  },
  {
    name: "opt-out-ignored-by-send",
    fault: "A contact that opted out can be sent messages.",
    promise: "opted-out-contact-gets-nothing",
    file: "core/src/resources/messages/optOutProblems.ts",
    find: "const problem = optOutProblem(contact, isMarketing)",
    replacement: "const problem = optOutProblem(undefined, isMarketing)"
  },
  {
    name: "opt-out-ignored-by-waiting-message",
    fault: "A message that waited is sent to a customer who has opted out meanwhile.",
    promise: "opted-out-contact-gets-nothing",
    file: "core/src/flows/sends/Sends.ts",
    find: "optedOutMeanwhile(optOut, found)",
    replacement: "null"
  },
  {
    name: "waiting-message-fails",
    fault: "A message that waited fails although its customer has not opted out.",
    promise: "status-has-a-cause",
    file: "core/src/flows/sends/optedOutMeanwhile.ts",
    find: "if (problem === null) return null",
    replacement: "if (contact === undefined) return null"
  },
  {
    name: "opt-out-not-stored",
    fault: "The keyword STOP does not change a known contact.",
    promise: "opted-out-contact-gets-nothing",
    file: "core/src/resources/contacts/optOut.ts",
    find: 'sets: [set("contacts", { id }, { [flag]: value, [time]: at })]',
    replacement: 'sets: [set("contacts", { id }, {})]'
  },
  {
    name: "opt-out-of-new-contact-lost",
    fault: "The keyword STOP as the first message does not opt the new contact out.",
    promise: "opted-out-contact-gets-nothing",
    file: "core/src/flows/inbound/receiveMessage.ts",
    find: "optedOut: optOutChange === true,",
    replacement: "optedOut: false,"
  },
  {
    name: "erasure-keeps-address",
    fault: "An erased contact's addresses remain.",
    promise: "erased-contact-is-gone",
    file: "core/src/resources/contacts/eraseContact.ts",
    find: '          ...addressKeys.map((key) => remove("addresses", key)),\n',
    replacement: ""
  },
  {
    name: "erasure-keeps-conversations",
    fault: "An erased contact's conversations remain.",
    promise: "erased-contact-is-gone",
    file: "core/src/resources/contacts/eraseContact.ts",
    find: `...conversations.map((conversation) => remove("conversations", { id: conversation.id }))`,
    replacement: ""
  },
  {
    name: "erasure-keeps-messages",
    fault: "An erased contact's messages remain.",
    promise: "erased-contact-is-gone",
    file: "core/src/erasure/eraseContactData.ts",
    find: "      yield* eraseMessages(storage, blobs, workspaceId, conversationId)\n      yield* eraseFeed",
    replacement: "      yield* eraseFeed"
  },
  {
    name: "erasure-keeps-deliveries",
    fault: "Webhooks about an erased contact are delivered after the erasure.",
    promise: "erased-contact-is-gone",
    file: "core/src/erasure/eraseContactData.ts",
    find: "    for (const subject of [...conversationIds, ...contactIds]) yield* eraseEvents(storage, workspaceId, [subject])\n",
    replacement: ""
  },
  {
    name: "merge-leaves-conversations",
    fault: "A merge leaves the conversations with the contact that was merged away.",
    promise: "merged-contact-is-gone",
    file: "core/src/resources/contacts/mergeContacts.ts",
    find: `      ...conversations.map(({ id }) => set("conversations", { id }, { contactId })),\n`,
    replacement: ""
  }
]
