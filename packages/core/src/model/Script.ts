import type { DefinedContent, DefinedFile } from "./MessageContent.js"

/** The valid answers to a question. */
export type Expected =
  | { readonly type: "text"; readonly maxLength: number }
  | { readonly type: "number"; readonly min: number | null; readonly max: number | null }
  | { readonly type: "email" | "phone" | "date" | "yes_no" }
  | { readonly type: "choice"; readonly choices: ReadonlyArray<Choice> }

/** One option of a multiple-choice question. */
export interface Choice {
  /** Value that is stored as the answer. */
  readonly value: string
  /** Text shown to the customer, who answers with it or with its number. */
  readonly text: string
  /** Key of the next step; null: the following one. */
  readonly goTo: string | null
}

/**
 * One step of a dialogue. Text, content and URLs of files may contain the placeholders `{{answers.<key>}}`,
 * `{{contact.<field>}}` and, if a workflow run started it, `{{data.<key>}}`.
 */
export type BotStep = { readonly key: string } & (
  | {
      readonly type: "say"
      /** The text, the caption of files, or the question of choices. Null only with files or content. */
      readonly text: string | null
      /** Default: none. */
      readonly content?: DefinedContent
      /** Default: none. */
      readonly files?: ReadonlyArray<DefinedFile>
      readonly goTo: string | null
    }
  | {
      readonly type: "ask"
      readonly text: string
      readonly expected: Expected
      /** Reply to an invalid answer. */
      readonly invalid: string | null
      /** Maximum number of times that it is asked, before the bot hands off. */
      readonly tries: number
      readonly goTo: string | null
    }
  /** Hands the conversation to a person. Agent and team null: unassigned. */
  | {
      readonly type: "hand_off"
      readonly text: string | null
      readonly agentId: string | null
      readonly teamId: string | null
    }
  | { readonly type: "finish"; readonly text: string | null }
)

/** The script of a bot: triggers, steps and timeout. */
export interface Script {
  readonly start: {
    /** Keywords that start the bot, compared with the whole text of a message. */
    readonly keywords: ReadonlyArray<string>
    /** Connections on which each new conversation starts the bot. */
    readonly newConversationOn: ReadonlyArray<string>
  }
  readonly greeting: string | null
  /** Starts at the first step. Empty: the port `BotResponder` answers. */
  readonly steps: ReadonlyArray<BotStep>
  /** Timeout without an answer, in ms. */
  readonly timeOutMs: number
  /** Text sent at the timeout. */
  readonly timeOutText: string | null
}
