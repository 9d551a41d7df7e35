import type { Channel } from "./Channel.js"
import type { LifecycleStage } from "./Contact.js"

/** Test of a set, such as a contact's tags. Has exactly one operator. Text is compared by search key, like tags. */
export interface SetTest<A extends string = string> {
  readonly has?: A
  readonly hasNot?: A
  readonly hasAnyOf?: ReadonlyArray<A>
  readonly hasNoneOf?: ReadonlyArray<A>
}

/** Test of one value. Has exactly one operator. */
export interface ValueTest<A extends string = string> {
  readonly is?: A
  readonly isNot?: A
  readonly isOneOf?: ReadonlyArray<A>
  readonly isNoneOf?: ReadonlyArray<A>
}

/** Test of text, ignoring case and accents. Has exactly one operator. */
export interface KeywordTest {
  /** The text to test; may contain placeholders. Default: the customer's last message. */
  readonly in?: string
  readonly is?: string
  readonly contains?: string
  readonly containsAnyOf?: ReadonlyArray<string>
  readonly startsWith?: string
}

/** Test of a value of the event's `data`. Has `key` and exactly one operator. */
export interface DataTest {
  /** Path, for example `order.total`. */
  readonly key: string
  readonly is?: string | number | boolean
  readonly isNot?: string | number | boolean
  readonly isMoreThan?: number
  readonly isLessThan?: number
  readonly isGiven?: boolean
}

export type Weekday = "mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun"

/** Time zone: the contact's (default: the workspace's), the workspace's, or an IANA name. */
export type Timezone = "contact" | "workspace" | (string & {})

/** A weekly time window. If `until` is not after `from`, it ends on the next day. */
export interface TimeWindow {
  /** Absent: every day. */
  readonly days?: ReadonlyArray<Weekday>
  /** `HH:MM`, inclusive. Absent: from midnight. */
  readonly from?: string
  /** `HH:MM`, exclusive. Absent: until midnight. */
  readonly until?: string
  readonly timezone: Timezone
}

/** A condition on the contact, the event or the time. Has exactly one key. */
export type RunCondition =
  | { readonly all: ReadonlyArray<RunCondition> }
  | { readonly any: ReadonlyArray<RunCondition> }
  | { readonly not: RunCondition }
  | { readonly tag: SetTest }
  | { readonly lifecycleStage: ValueTest<LifecycleStage> }
  /** The channels on which the contact has a handle. */
  | { readonly channel: SetTest<Channel> }
  /** The contact's ISO 3166 code, two letters. */
  | { readonly country: ValueTest }
  | { readonly keyword: KeywordTest }
  | { readonly data: DataTest }
  | { readonly time: TimeWindow }
  /** The agent assigned to the contact's newest conversation; `isSet` tests whether one is assigned. */
  | { readonly assignedAgent: ValueTest & { readonly isSet?: boolean } }
  /** The stage of the contact's newest lead; with `pipelineId`, of the newest in that pipeline. */
  | { readonly pipelineStage: ValueTest & { readonly pipelineId?: string } }
  /** The outcome of an earlier action of this run, by its name. */
  | { readonly step: { readonly done?: string; readonly failed?: string } }
