import type { Channel } from "../../channels/Channel.js"
import type { LifecycleStage } from "../../contacts/Contact.js"

/** Of a set, such as a contact's tags: exactly one operator is there. Text is compared as the workspace's tags are. */
export interface SetTest<A extends string = string> {
  readonly has?: A
  readonly hasNot?: A
  readonly hasAnyOf?: ReadonlyArray<A>
  readonly hasNoneOf?: ReadonlyArray<A>
}

/** Of one value: exactly one operator is there. */
export interface ValueTest<A extends string = string> {
  readonly is?: A
  readonly isNot?: A
  readonly isOneOf?: ReadonlyArray<A>
  readonly isNoneOf?: ReadonlyArray<A>
}

/** Of text, without regard to case or accents: exactly one operator is there. */
export interface KeywordTest {
  /** Text with placeholders. Absent: what the customer wrote last. */
  readonly in?: string
  readonly is?: string
  readonly contains?: string
  readonly containsAnyOf?: ReadonlyArray<string>
  readonly startsWith?: string
}

/** Of a value of the event's `data`: exactly one operator beside the `key`. */
export interface DataTest {
  /** A path such as `order.total`. */
  readonly key: string
  readonly is?: string | number | boolean
  readonly isNot?: string | number | boolean
  readonly isMoreThan?: number
  readonly isLessThan?: number
  readonly isGiven?: boolean
}

export type Weekday = "mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun"

/** Whose clock a time is read from: the contact's (without one, the workspace's), the workspace's, or an IANA name. */
export type Timezone = "contact" | "workspace" | (string & {})

/** A part of the week. Where `until` is not after `from`, it ends on the day after. */
export interface TimeWindow {
  /** Absent: every day. */
  readonly days?: ReadonlyArray<Weekday>
  /** `HH:MM`, included. Absent: from midnight. */
  readonly from?: string
  /** `HH:MM`, not included. Absent: until midnight. */
  readonly until?: string
  readonly timezone: Timezone
}

/** What must hold of a contact, an event or a moment. Exactly one key is there. */
export type RunCondition =
  | { readonly all: ReadonlyArray<RunCondition> }
  | { readonly any: ReadonlyArray<RunCondition> }
  | { readonly not: RunCondition }
  | { readonly tag: SetTest }
  | { readonly lifecycleStage: ValueTest<LifecycleStage> }
  /** The channels on which the contact can be reached. */
  | { readonly channel: SetTest<Channel> }
  /** ISO 3166, two letters, as the contact has it. */
  | { readonly country: ValueTest }
  | { readonly keyword: KeywordTest }
  | { readonly data: DataTest }
  | { readonly time: TimeWindow }
  /** The agent who has the contact's newest conversation; `isSet` asks whether anybody has it. */
  | { readonly assignedAgent: ValueTest & { readonly isSet?: boolean } }
  /** The stage of the contact's newest lead, in the pipeline where one is named. */
  | { readonly pipelineStage: ValueTest & { readonly pipelineId?: string } }
  /** What became of an earlier action of this run, by its name. */
  | { readonly step: { readonly done?: string; readonly failed?: string } }
