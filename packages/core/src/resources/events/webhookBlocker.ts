import type { Application } from "../../model/Application.js"

/**
 * Why an application receives no webhooks at all; null if it receives them
 * (docs/reference/events.md#who-receives-an-event). The missing scope is reported before the suspension, which is
 * temporary.
 */
export const webhookBlocker = ({
  scopes,
  status
}: Pick<Application, "scopes" | "status">): "scope_missing" | "application_suspended" | null => {
  if (!scopes.includes("webhooks.receive")) return "scope_missing"
  return status === "active" ? null : "application_suspended"
}
