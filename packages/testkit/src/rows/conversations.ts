import type { AttachedFile, Conversation, FeedEntry, Message, ProviderMessage, Upload } from "@parley/core"
import {
  type Given,
  someApplicationId,
  someConnectionId,
  someContactId,
  someConversationId,
  someTime,
  someWorkspaceId
} from "./some.js"

export const aConversation = (given: Partial<Conversation> = {}): Conversation => ({
  id: someConversationId,
  workspaceId: someWorkspaceId,
  connectionId: someConnectionId,
  channel: "whatsapp",
  handle: "+4915112345678",
  contactId: someContactId,
  status: "open",
  assignedUserId: null,
  assignedTeamId: null,
  lastActivityAt: someTime,
  lastInboundAt: 0,
  deliveredUpTo: 0,
  readUpTo: 0,
  fed: 0,
  botSessionId: null,
  createdAt: someTime,
  version: 1,
  ...given
})

export const aFeedEntry = (given: Partial<FeedEntry> & { readonly messageId: string }): FeedEntry => ({
  conversationId: someConversationId,
  sequence: 1,
  workspaceId: someWorkspaceId,
  ...given
})

export const aMessage = (given: Given<Message>): Message => ({
  workspaceId: someWorkspaceId,
  applicationId: someApplicationId,
  agentId: null,
  workflowRunId: null,
  botSessionId: null,
  externalReference: null,
  conversationId: someConversationId,
  contactId: someContactId,
  connectionId: someConnectionId,
  direction: "outbound",
  type: "text",
  status: "queued",
  body: "Your order is ready.",
  subject: null,
  html: null,
  templateName: null,
  templateLanguage: null,
  variables: [],
  attachments: [],
  content: null,
  envelope: null,
  error: null,
  providerMessageId: null,
  createdAt: someTime,
  sentAt: null,
  deliveredAt: null,
  readAt: null,
  receivedAt: null,
  version: 1,
  ...given
})

export const aProviderMessage = (given: Partial<ProviderMessage> = {}): ProviderMessage => ({
  connectionId: someConnectionId,
  providerMessageId: "wamid.1",
  workspaceId: someWorkspaceId,
  messageId: null,
  parked: [],
  createdAt: someTime,
  version: 1,
  ...given
})

export const anUpload = (given: Given<Upload>): Upload => ({
  workspaceId: someWorkspaceId,
  applicationId: someApplicationId,
  contentType: "image/png",
  fileName: "photo.png",
  size: 9,
  sent: false,
  expiresAt: someTime,
  createdAt: someTime,
  version: 1,
  ...given
})

export const anAttachedFile = (given: Given<AttachedFile> & { readonly messageId: string }): AttachedFile => ({
  workspaceId: someWorkspaceId,
  connectionId: someConnectionId,
  status: "waiting",
  reference: "media-1",
  uploadId: null,
  createdAt: someTime,
  version: 1,
  ...given
})
