import type { Storage } from "@parley/core"
import type { PlannedBot } from "./dialogues.js"
import type { HintFaults, Port, StallCall } from "./Faults.js"
import type { ReceiverMood } from "./Receivers.js"
import type { PlannedSubscription } from "./Subscribers.js"
import type { VendorMood } from "./Vendor.js"

/** A file of a message: fetched from its URL at `filesUrl` of `Receivers.ts`, or uploaded before the send. */
export type PlannedFile = { readonly url: string } | { readonly upload: string }

/** A message that an application sends. */
export interface PlannedSend {
  readonly type: "send"
  readonly application: string
  readonly channel: string
  readonly to: string
  readonly key: string
  readonly text: string
  /** The `external_reference`; null: none. */
  readonly reference: string | null
  /** Its files; absent: a text. */
  readonly files?: ReadonlyArray<PlannedFile>
}

/** Sends the business event of an order, about the nth contact that the application knows. */
export interface PlannedOrder {
  readonly type: "order"
  readonly application: string
  readonly order: number
  readonly nth: number
}

/** What an application, a customer or an administrator does. */
export type Action =
  | PlannedSend
  /** Writes a request in a transaction of the application, which stays open for `openMs`, and commits it or not. */
  | {
      readonly type: "enqueue"
      readonly request: PlannedSend | (PlannedOrder & { readonly key: string })
      /** The process whose engine writes it, by its index modulo the number of those that serve. */
      readonly process: number
      readonly openMs: number
      readonly commits: boolean
    }
  /** Repeats an earlier send of the application with the same key. `changed`: with another body. */
  | { readonly type: "repeat"; readonly application: string; readonly nth: number; readonly changed: boolean }
  | {
      readonly type: "read"
      readonly application: string
      readonly what: "message" | "contact" | "conversations" | "contacts" | "messages"
      readonly nth: number
    }
  /** Reads, as one application, the conversations and messages that another one can read. */
  | { readonly type: "read-foreign"; readonly application: string; readonly of: string }
  | { readonly type: "write"; readonly connectionId: string; readonly from: string; readonly text: string }
  | { readonly type: "set-application"; readonly applicationId: string; readonly status: "active" | "suspended" }
  | { readonly type: "set-endpoint"; readonly endpointId: string; readonly status: "active" | "disabled" }
  | { readonly type: "set-connection"; readonly connectionId: string; readonly status: "active" | "paused" }
  | { readonly type: "rotate-endpoint"; readonly endpointId: string }
  | { readonly type: "recover-endpoint"; readonly endpointId: string }
  /** The processes of a host handle a subscription from now on, or no longer. */
  | { readonly type: "subscribe"; readonly host: number; readonly subscription: PlannedSubscription }
  | { readonly type: "unsubscribe"; readonly host: number; readonly subscription: PlannedSubscription }
  | { readonly type: "set-subscription"; readonly nth: number; readonly status: "active" | "disabled" }
  | { readonly type: "issue-key"; readonly application: { readonly id: string; readonly name: string } }
  | { readonly type: "rotate-key"; readonly nth: number }
  | { readonly type: "revoke-key"; readonly nth: number }
  | { readonly type: "use-key"; readonly nth: number }
  | { readonly type: "publish-workflow"; readonly workspaceId: string; readonly wait: string }
  | PlannedOrder
  | { readonly type: "read-runs"; readonly workspaceId: string }
  | { readonly type: "publish-bot"; readonly bot: PlannedBot }
  /** An agent replies in the nth conversation of a workspace, or an administrator resolves it. */
  | { readonly type: "reply" | "resolve"; readonly workspaceId: string; readonly nth: number }
  | { readonly type: "change-number"; readonly nth: number; readonly phone: string }
  /** Replays a delivery of the nth message. */
  | { readonly type: "replay-delivery"; readonly nth: number }
  | { readonly type: "erase"; readonly nth: number }
  | { readonly type: "merge"; readonly nth: number; readonly into: number }

/** What happens to the processes, the database, the vendors and the receivers. */
export type Disturbance =
  | { readonly type: "crash"; readonly process: number; readonly port: Port | null; readonly when: "before" | "after" }
  | { readonly type: "stop"; readonly process: number }
  | { readonly type: "stall"; readonly process: number; readonly ms: number }
  /**
   * Stalls the process that next calls this method of the storage, before the call takes effect, or this other port,
   * while the call is under way.
   */
  | { readonly type: "stall-at"; readonly call: StallCall; readonly ms: number }
  | { readonly type: "stall-all"; readonly ms: number }
  /** Suspends the machine of a process: its monotonic clock stops too. */
  | { readonly type: "suspend"; readonly process: number; readonly ms: number }
  | { readonly type: "step-clock"; readonly process: number; readonly ms: number }
  | { readonly type: "drift"; readonly process: number; readonly msPerSecond: number }
  | { readonly type: "storage-away"; readonly ms: number }
  | { readonly type: "lose-commit"; readonly process: number; readonly applied: boolean }
  /** The next calls of the process to this method of the storage fail. */
  | { readonly type: "fail-calls"; readonly process: number; readonly call: keyof Storage; readonly count: number }
  | { readonly type: "slow"; readonly ms: number }
  | { readonly type: "power-cut" }
  | ({ readonly type: "hints" } & HintFaults)
  | { readonly type: "vendor"; readonly mood: VendorMood }
  | { readonly type: "receiver"; readonly url: string; readonly mood: ReceiverMood }

/** One step of a history, at a time in ms after its start. */
export type Step = { readonly at: number } & ({ readonly action: Action } | { readonly disturbance: Disturbance })
