import type { Application } from "../access/Application.js"

/** Whether an application is sent webhooks at all: not while it is suspended, nor without the scope (decisions.md §3, §9). */
export const receivesWebhooks = ({ scopes, status }: Pick<Application, "scopes" | "status">): boolean =>
  status === "active" && scopes.includes("webhooks.receive")
