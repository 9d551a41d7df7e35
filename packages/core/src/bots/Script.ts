/** What a customer may answer to a question. */
export type Expected =
  | { readonly type: "text"; readonly maxLength: number }
  | { readonly type: "number"; readonly min: number | null; readonly max: number | null }
  | { readonly type: "email" | "phone" | "date" | "yes_no" }
  | { readonly type: "choice"; readonly choices: ReadonlyArray<Choice> }

/** One of the answers that a question offers. */
export interface Choice {
  /** What is kept as the answer. */
  readonly value: string
  /** What the customer is shown; its number or this text picks it. */
  readonly text: string
  /** The key of the step that follows; null: the next one. */
  readonly goTo: string | null
}

/** One step of a dialogue. Text has placeholders: `{{answers.<key>}}`, `{{contact.<field>}}`, and a run's `{{data.<key>}}`. */
export type BotStep = { readonly key: string } & (
  | { readonly type: "say"; readonly text: string; readonly goTo: string | null }
  | {
      readonly type: "ask"
      readonly text: string
      readonly expected: Expected
      /** Said where an answer is none of those expected. */
      readonly invalid: string | null
      /** How often it is asked in all, before the bot hands off. */
      readonly tries: number
      readonly goTo: string | null
    }
  /** Hands the conversation to people. Null: to whoever looks first. */
  | {
      readonly type: "hand_off"
      readonly text: string | null
      readonly agentId: string | null
      readonly teamId: string | null
    }
  | { readonly type: "finish"; readonly text: string | null }
)

/** What a bot says and asks, and what starts and ends it. */
export interface Script {
  readonly start: {
    /** Words that start it, where a customer's message is one of them as a whole. */
    readonly keywords: ReadonlyArray<string>
    /** Connections on which a conversation that begins starts it. */
    readonly newConversationOn: ReadonlyArray<string>
  }
  readonly greeting: string | null
  /** The first one is where it begins. Empty: the BotResponder answers instead. */
  readonly steps: ReadonlyArray<BotStep>
  /** After so long without an answer it ends, in ms. */
  readonly timeOutMs: number
  /** Said when it ends so. */
  readonly timeOutText: string | null
}
