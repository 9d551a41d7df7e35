import { AdminBotResource, BotInput, BotPatch, BotSessionResource } from "@parley/core"
import { type Entries, entry } from "./Glossary.js"
import { story } from "./story.js"

const workspace_id = story.workspaceId

const script = {
  start: { keywords: ["demo"], new_conversation_on: [story.connectionId] },
  greeting: "Hello {{contact.first_name}}!",
  steps: [
    {
      key: "need",
      type: "ask",
      text: "What can we do for you?",
      expect: {
        type: "choice",
        choices: [
          { value: "prices", text: "Prices" },
          { value: "support", text: "Talk to somebody", go_to: "person" }
        ]
      }
    },
    { key: "email", type: "ask", text: "Where may we write to?", expect: { type: "email" }, tries: 2 },
    { key: "thanks", type: "finish", text: "Thank you, we will write to {{answers.email}}." },
    { key: "person", type: "hand_off", text: "One moment.", team_id: story.teamId }
  ],
  time_out: "30m",
  time_out_text: "Write again whenever you like."
}

const scriptFields = {
  start: "Words that start it, where a message is one as a whole; connections on which new conversations do.",
  greeting: "Said before the first step; null: nothing.",
  steps: "What it says and asks, in this order; without any, the host's responder answers.",
  time_out: "After so long without an answer it ends.",
  time_out_text: "Said when it ends so; null: nothing."
}

/** What bots and their dialogues are made of. */
export const botEntries: Entries = {
  AdminBot: entry(AdminBotResource, {
    description: "A scripted dialogue with customers.",
    example: {
      id: story.botId,
      workspace_id,
      name: "Qualification",
      status: "active",
      ...script,
      created_at: story.began
    },
    fields: { ...scriptFields, status: "Only an active one starts." }
  }),
  BotInput: entry(BotInput, {
    description: "A bot to make; it is inactive where nothing else is said.",
    example: { workspace_id, name: "Qualification", status: "active", ...script },
    fields: scriptFields
  }),
  BotPatch: entry(BotPatch, {
    description:
      "What to change; each part of the script is replaced as a whole. Dialogues that began go on as they began.",
    examples: { activate: { status: "active" }, greeting: { greeting: "Good day!" } },
    fields: scriptFields
  }),
  BotStep: {
    description: `What it says or asks, by its \`type\`. \`go_to\` is the key of the step that follows; the next one where it is \
left out. Text has placeholders: \`{{answers.<key>}}\`, \`{{contact.<field>}}\`, and where a workflow started the bot \
\`{{data.<key>}}\`.`,
    examples: {
      "a question": script.steps[1],
      "a message": { key: "hours", type: "say", text: "We are there from 9 to 5." },
      "a person": script.steps[3],
      "the end": script.steps[2]
    }
  },
  BotExpectedAnswer: {
    description: `What a customer may answer, by its \`type\`. Choices are shown as a numbered list, and picked by number or \
text; a choice may lead to a step of its own.`,
    examples: {
      "one of several": script.steps[0]?.expect,
      "a number": { type: "number", min: 1, max: 10 },
      "yes or no": { type: "yes_no" }
    }
  },
  BotSession: entry(BotSessionResource, {
    description: "A bot's dialogue in a conversation, which has at most one that is active.",
    example: {
      id: story.sessionId,
      workspace_id,
      bot_id: story.botId,
      bot_name: "Qualification",
      conversation_id: story.conversationId,
      contact_id: story.contactId,
      connection_id: story.connectionId,
      application_id: null,
      workflow_run_id: null,
      status: "completed",
      outcome: "finished",
      step: null,
      tries: 0,
      answers: { need: "prices", email: story.email },
      started_at: story.began,
      expires_at: "2026-05-04T09:00:00.000Z",
      ended_at: story.read
    },
    fields: {
      application_id: "Whose event's run started it: nobody else hears of it; null: no run did.",
      workflow_run_id: "The run that started it.",
      outcome: "How it ended, where nobody took over.",
      step: "The key of the step whose answer is waited for.",
      tries: "How often that was asked.",
      answers: "What it learned, by the keys of its steps.",
      expires_at: "When it ends without an answer."
    }
  })
}
