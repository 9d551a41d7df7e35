import type { Application } from "../access/Application.js"

/**
 * The first reason why an application is sent no webhooks at all, null where it is sent them (decisions.md §3, §9). What is
 * forbidden comes before what cannot be now.
 */
export const whyNotSent = ({
  scopes,
  status
}: Pick<Application, "scopes" | "status">): "scope_missing" | "application_suspended" | null => {
  if (!scopes.includes("webhooks.receive")) return "scope_missing"
  return status === "active" ? null : "application_suspended"
}
