import { afterAll, beforeAll, describe } from "vitest"
import { beside, inOrder } from "./Suite.js"
import { authentication } from "./sections/authentication.js"
import { businessEvents } from "./sections/businessEvents.js"
import { channels } from "./sections/channels.js"
import { contactLists } from "./sections/contactLists.js"
import { contacts } from "./sections/contacts.js"
import { content } from "./sections/content.js"
import { conversations } from "./sections/conversations.js"
import { errors } from "./sections/errors.js"
import { idempotency } from "./sections/idempotency.js"
import { isolation } from "./sections/isolation.js"
import { leads } from "./sections/leads.js"
import { messages } from "./sections/messages.js"
import { oauth } from "./sections/oauth.js"
import { openapi } from "./sections/openapi.js"
import { pagination } from "./sections/pagination.js"
import { rateLimits } from "./sections/rateLimits.js"
import { scopes } from "./sections/scopes.js"
import { sending } from "./sections/sending.js"
import { templates } from "./sections/templates.js"
import { versioning } from "./sections/versioning.js"
import { webhookFailures } from "./sections/webhookFailures.js"
import { webhooks } from "./sections/webhooks.js"
import { type Deployment, openWorld, type World } from "./World.js"

/** The slowest sections come first. */
const sideBySide = [
  webhookFailures,
  webhooks,
  messages,
  idempotency,
  isolation,
  contacts,
  contactLists,
  sending,
  conversations,
  content,
  pagination,
  authentication,
  scopes,
  rateLimits,
  errors,
  businessEvents,
  leads,
  templates,
  channels,
  versioning,
  openapi
]

/**
 * What every deployment must do: walks the specification over HTTP, knowing nothing of what is behind. It makes
 * workspaces of its own through `/admin/v1` and leaves all others alone. `deployment` may be started for it by a
 * function.
 *
 * @example
 * ```ts
 * conformance("ours", { baseUrls: ["https://messages.example"], adminToken })
 * ```
 */
export const conformance = (name: string, deployment: Deployment | (() => Promise<Deployment>)): void => {
  describe(`conformance of ${name}`, () => {
    let opened: World | undefined
    const world = (): World => {
      if (opened === undefined) throw new Error("the deployment did not start")
      return opened
    }
    beforeAll(async () => {
      opened = await openWorld(typeof deployment === "function" ? await deployment() : deployment)
    }, 180_000)
    afterAll(() => opened?.close(), 120_000)
    beside(world, sideBySide)
    inOrder(world, [oauth])
  })
}
