import type { Scope } from "@parley/core"
import type { Description } from "./OpenApiDocument.js"
import { scopesOf } from "./raisedCodes.js"

/** What each scope allows (docs/reference/authentication.md#scopes). */
const scopes: { readonly [scope in Scope]: string } = {
  "messages.send": "free-form messages inside the service window",
  "messages.read": "read conversations and messages",
  "messages.status": "read delivery status of messages the application sent",
  "templates.read": "list templates and their approval status",
  "templates.send": "send approved templates, including outside the service window",
  "contacts.read": "search and read contacts",
  "contacts.write": "create and update contacts",
  "leads.create": "create leads",
  "leads.read": "read leads",
  "webhooks.receive": "register endpoints and receive signed deliveries",
  "events.send": "send business events that start automations"
}

/** The credentials of applications: an API key, or an access token of OAuth 2.0 with one of the scopes needed. */
export const applicationSecurity: Pick<Description, "securitySchemes" | "securityOf"> = {
  securitySchemes: (serverUrl) => ({
    apiKey: {
      type: "http",
      scheme: "bearer",
      description: "An API key, such as `parley_live_…` or `parley_test_…`. It carries every scope of its application."
    },
    oauth2: {
      type: "oauth2",
      description: "An access token, valid for an hour.",
      flows: { clientCredentials: { tokenUrl: `${serverUrl}/oauth/token`, scopes } }
    }
  }),
  securityOf: ({ annotations }) => {
    const needed = scopesOf(annotations)
    return [{ apiKey: [] }, ...(needed.length === 0 ? [{ oauth2: [] }] : needed.map((scope) => ({ oauth2: [scope] })))]
  }
}

/** The credential of administrators. */
export const administratorSecurity: Pick<Description, "securitySchemes" | "securityOf"> = {
  securitySchemes: () => ({
    adminToken: { type: "http", scheme: "bearer", description: "The token of the setting `PARLEY_ADMIN_TOKEN`." }
  }),
  securityOf: () => [{ adminToken: [] }]
}
