import type { Channel } from "../../channels/Channel.js"
import type { RunCondition, Timezone, Weekday } from "./RunCondition.js"

/** How far a message must have come before the run goes on. */
export interface Wanted {
  readonly status: "sent" | "delivered" | "read"
  /** For how long that is waited for, in ms; after that the action has failed. */
  readonly withinMs: number
}

/** Text through the contact's channel, or a template. Text and variables have placeholders. */
export interface SendMessage {
  readonly type: "send_message"
  /** `preferred`: where the contact wrote last, else the first channel on which they can be reached. */
  readonly channel: Channel | "preferred"
  readonly connectionId: string | null
  readonly content:
    | { readonly type: "text"; readonly body: string; readonly subject: string | null }
    | {
        readonly type: "template"
        readonly template: string
        readonly language: string | null
        readonly variables: ReadonlyArray<string>
      }
  readonly wanted: Wanted | null
}

/** An email to the contact. In `html`, what placeholders stand for is escaped. */
export interface SendEmail {
  readonly type: "send_email"
  readonly connectionId: string | null
  readonly subject: string
  readonly body: string
  readonly html: string | null
  readonly wanted: Wanted | null
}

export interface ChangeTag {
  readonly type: "add_tag" | "remove_tag"
  readonly tag: string
}

/** Text among the values has placeholders; null clears. */
export interface UpdateContact {
  readonly type: "update_contact"
  /** By the fields of a contact's PATCH, in wire shape. */
  readonly contact: { readonly [field: string]: unknown }
}

export interface CreateLead {
  readonly type: "create_lead"
  readonly pipelineId: string | null
  readonly stage: string | null
  readonly title: string | null
  /** A number, or text with placeholders that makes one. */
  readonly value: number | string | null
  readonly currency: string | null
}

/** Moves the contact's newest lead, in the pipeline where one is named. */
export interface UpdateLead {
  readonly type: "update_lead"
  readonly pipelineId: string | null
  readonly stage: string
}

/** Gives the contact's newest conversation to an agent, a team or both. */
export interface Assign {
  readonly type: "assign"
  readonly agentId: string | null
  readonly teamId: string | null
}

export interface CreateTask {
  readonly type: "create_task"
  readonly title: string
  /** After the action, in ms. */
  readonly dueInMs: number | null
  readonly agentId: string | null
  readonly teamId: string | null
}

/** Tells the administrators. */
export interface Notify {
  readonly type: "notify"
  readonly message: string
}

/** POSTs JSON, signed with the workflow's secret. */
export interface CallWebhook {
  readonly type: "call_webhook"
  readonly url: string
  /** Text in it has placeholders. Null: the event with its contact. */
  readonly body: { readonly [key: string]: unknown } | null
}

/** Starts a bot on the contact's newest conversation. */
export interface StartBot {
  readonly type: "start_bot"
  readonly botId: string
}

export type Wait = { readonly type: "wait" } & (
  | { readonly forMs: number }
  /** Until the next such time of day. */
  | { readonly until: string; readonly days: ReadonlyArray<Weekday> | null; readonly timezone: Timezone }
)

/** What an action does. */
export type ActionKind =
  | SendMessage
  | SendEmail
  | ChangeTag
  | UpdateContact
  | CreateLead
  | UpdateLead
  | Assign
  | CreateTask
  | Notify
  | CallWebhook
  | StartBot
  | Wait

/** One of the ordered actions of a workflow. */
export type Action = ActionKind & {
  /** By which conditions of later actions speak of it. */
  readonly name: string | null
  /** It is left out where this does not hold when its turn comes. */
  readonly if: RunCondition | null
  /** Whether the run goes on after it failed. */
  readonly onError: "stop" | "continue"
}
