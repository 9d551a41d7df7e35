import type { Channel } from "./Channel.js"
import type { CardValues, DefinedContent, DefinedFile, ProductValues } from "./MessageContent.js"
import type { RunCondition, Timezone, Weekday } from "./RunCondition.js"

/** The message status that a run waits for before its next action. */
export interface RequiredProgress {
  readonly status: "sent" | "delivered" | "read"
  /** Timeout in ms, after which the action fails. */
  readonly withinMs: number
}

/** Sends a message to the contact. Text, variables, content and URLs of files may contain placeholders. */
export interface SendMessage {
  readonly type: "send_message"
  /**
   * `preferred`: the channel of the contact's last message among the active connections that the application may use,
   * else the first channel with an address of the contact and such a connection.
   */
  readonly channel: Channel
  readonly connectionId: string | null
  readonly content:
    | { readonly type: "text"; readonly body: string; readonly subject: string | null }
    | {
        readonly type: "template"
        readonly template: string
        readonly language: string | null
        readonly variables: ReadonlyArray<string>
        /** Value of the slot in the header. Default: none. */
        readonly headerVariable?: string
        /** Values of the buttons. Default: none. */
        readonly buttonVariables?: ReadonlyArray<string>
        /** Values of the cards. Default: none. */
        readonly cards?: ReadonlyArray<CardValues>
        /** The products of a button. Default: none. */
        readonly products?: ProductValues
        /** The file of the header, or those of the cards. Default: none. */
        readonly files?: ReadonlyArray<DefinedFile>
      }
    /** Files, with a caption or text. */
    | {
        readonly type: "media"
        readonly body: string | null
        readonly subject: string | null
        readonly files: ReadonlyArray<DefinedFile>
      }
    /** `body`: the question of choices. */
    | {
        readonly type: DefinedContent["type"]
        readonly body: string | null
        readonly subject: string | null
        readonly content: DefinedContent
      }
  /** Id of the message that it answers or reacts to, or text with a placeholder that yields one. Default: none. */
  readonly quoted?: string
  readonly wanted: RequiredProgress | null
}

/** Sends an email to the contact. Placeholder values in `html` are HTML-escaped. */
export interface SendEmail {
  readonly type: "send_email"
  readonly connectionId: string | null
  readonly subject: string
  readonly body: string
  readonly html: string | null
  readonly wanted: RequiredProgress | null
}

export interface ChangeTag {
  readonly type: "add_tag" | "remove_tag"
  readonly tag: string
}

/** Updates fields of the contact. Text values may contain placeholders; null clears a field. */
export interface UpdateContact {
  readonly type: "update_contact"
  /** Fields of `PATCH /contacts/{id}`, in wire shape. */
  readonly contact: { readonly [field: string]: unknown }
}

export interface CreateLead {
  readonly type: "create_lead"
  readonly pipelineId: string | null
  readonly stage: string | null
  readonly title: string | null
  /** A number, or text with placeholders that yields a number. */
  readonly value: number | string | null
  readonly currency: string | null
}

/** Moves the contact's newest lead; with `pipelineId`, the newest in that pipeline. */
export interface UpdateLead {
  readonly type: "update_lead"
  readonly pipelineId: string | null
  readonly stage: string
}

/** Assigns the contact's newest conversation to an agent, a team or both. */
export interface Assign {
  readonly type: "assign"
  readonly agentId: string | null
  readonly teamId: string | null
}

export interface CreateTask {
  readonly type: "create_task"
  readonly title: string
  /** Delay from the action to the due time, in ms. */
  readonly dueInMs: number | null
  readonly agentId: string | null
  readonly teamId: string | null
}

/** Notifies the administrators. */
export interface Notify {
  readonly type: "notify"
  readonly message: string
}

/** Sends a POST with JSON, signed with the workflow's secret. */
export interface CallWebhook {
  readonly type: "call_webhook"
  readonly url: string
  /** Its text may contain placeholders. Null sends the event with its contact. */
  readonly body: { readonly [key: string]: unknown } | null
}

/** Starts a bot on the contact's newest conversation. */
export interface StartBot {
  readonly type: "start_bot"
  readonly botId: string
}

export type Wait = { readonly type: "wait" } & (
  | { readonly forMs: number }
  /** Until the next occurrence of this time of day (`HH:MM`). */
  | { readonly until: string; readonly days: ReadonlyArray<Weekday> | null; readonly timezone: Timezone }
)

/** The operation of an action, by `type`. */
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

/** An action of a workflow. Actions run in order. */
export type Action = ActionKind & {
  /** Name by which conditions of later actions refer to this one. */
  readonly name: string | null
  /** Evaluated when the action starts; if false, the action is skipped. */
  readonly if: RunCondition | null
  /** Whether the run continues after a failure of this action. */
  readonly onError: "stop" | "continue"
}
