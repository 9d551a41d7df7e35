import type { Message } from "../../model/Message.js"

/** The columns of a message that a vendor reported and no part of Parley sent. */
export const vendorMessage = {
  applicationId: null,
  agentId: null,
  workflowRunId: null,
  botSessionId: null,
  externalReference: null,
  html: null,
  templateName: null,
  templateLanguage: null,
  variables: [],
  deliveredAt: null,
  readAt: null,
  version: 1
} as const satisfies Partial<Message>
