import type { EventType } from "../events/Event.js"
import type { Instant } from "../Instant.js"

/** Where an application receives its webhooks. */
export interface Endpoint {
  readonly id: string
  readonly workspaceId: string
  readonly applicationId: string
  readonly url: string
  readonly events: ReadonlyArray<EventType | "*">
  readonly description: string | null
  /** The signing secret (`whsec_…`), sealed by the SecretBox. */
  readonly secret: string
  /** Disabled by an administrator; 25 {@link consecutiveFailures} disable it too. */
  readonly status: "active" | "disabled" | "deleted"
  readonly consecutiveFailures: number
  readonly createdAt: Instant
  readonly version: number
}

/** Failed attempts in a row that disable an endpoint (spec, Limits). */
export const failuresThatDisable = 25

/** Whether new deliveries are made for it and waiting ones go out. */
export const isActive = (endpoint: Pick<Endpoint, "status" | "consecutiveFailures">): boolean =>
  endpoint.status === "active" && endpoint.consecutiveFailures < failuresThatDisable
