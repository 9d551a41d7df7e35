import {
  AdminConversationResource,
  AdminMessageResource,
  ConversationPatch,
  ReplyInput,
  TaskInput,
  TaskPatch,
  TaskResource
} from "@parley/core"
import { type Entries, entry } from "./Glossary.js"
import { exampleMessage } from "./publicResources.js"
import { story } from "./story.js"

const workspace_id = story.workspaceId
const due_at = "2026-05-05T08:30:00.000Z"

/** What the administration's conversations, messages and tasks are made of. */
export const deskEntries: Entries = {
  AdminConversation: entry(AdminConversationResource, {
    description: "All messages with one handle on one connection.",
    example: {
      id: story.conversationId,
      workspace_id,
      contact_id: story.contactId,
      connection_id: story.connectionId,
      channel: "whatsapp",
      handle: story.phone,
      status: "open",
      assigned_user_id: story.agentId,
      assigned_team_id: null,
      last_activity_at: story.began,
      service_window_expires_at: null,
      created_at: story.began
    },
    fields: {
      handle: "The customer's, on the channel.",
      last_activity_at: "When the last message went in or out.",
      service_window_expires_at:
        "When free text ends to be allowed; null where the customer never wrote, or the channel has no such window."
    }
  }),
  ConversationPatch: entry(ConversationPatch, {
    description: "What to change. Any status may move to any other; null unassigns.",
    example: { status: "pending", assigned_user_id: story.agentId },
    fields: {
      assigned_user_id: "An active agent of the workspace.",
      assigned_team_id: "A team of the workspace."
    }
  }),
  ReplyInput: entry(ReplyInput, {
    description: "What an agent says: a text, or a template where one is named.",
    examples: {
      text: { body: "It leaves today.", agent_id: story.agentId },
      template: { template: "order_shipped", language: "en", variables: ["Ada", "1042"] }
    },
    fields: {
      body: "The text.",
      subject: "Of an email.",
      template: "The template's name.",
      language: "The template's; its only one, else the workspace's default, where it is left out.",
      variables: "The template's, in the order of its slots.",
      agent_id: "Who says it: an active agent of the workspace."
    }
  }),
  AdminMessage: entry(AdminMessageResource, {
    description: "A message, in or out, with whose it is.",
    example: {
      ...exampleMessage("delivered"),
      error: null,
      workspace_id,
      application_id: story.applicationId,
      agent_id: null,
      workflow_run_id: null,
      bot_session_id: null,
      subject: null,
      template_name: "order_shipped",
      template_language: "en",
      variables: ["Ada", "1042"],
      provider_message_id: "wamid.1042",
      created_at: story.began
    },
    fields: {
      application_id:
        "The application that sent it, or whose event started the run that did; null for those of customers and agents.",
      agent_id: "The agent who wrote it, where that is known.",
      workflow_run_id: "The run of a workflow that sent it.",
      bot_session_id: "The dialogue of a bot that it belongs to.",
      external_reference: "What the caller gave when it sent the message.",
      status: "An inbound message is `delivered`.",
      body: "The text; of a template, the rendered one.",
      error: "Why it failed; `provider` is what the vendor said, where it is known.",
      received_at: "Of inbound messages only."
    }
  }),
  Task: entry(TaskResource, {
    description: "Something that people of the workspace are to do.",
    example: {
      id: story.taskId,
      workspace_id,
      title: "Call Ada back",
      contact_id: story.contactId,
      conversation_id: story.conversationId,
      assigned_user_id: story.agentId,
      assigned_team_id: null,
      status: "open",
      due_at,
      created_at: story.began
    }
  }),
  TaskInput: entry(TaskInput, {
    description: "A task to make; it is open.",
    example: { workspace_id, title: "Call Ada back", conversation_id: story.conversationId, due_at },
    fields: {
      contact_id: "Whom it is about; that of the conversation where it is left out.",
      assigned_user_id: "An active agent of the workspace.",
      assigned_team_id: "A team of the workspace."
    }
  }),
  TaskPatch: entry(TaskPatch, {
    description: "What to change; null takes away whom it is about, who has it and when it is due.",
    example: { status: "done" }
  })
}
