import { Either } from "effect"
import { type Refusal, refuse } from "../../errors/Refusal.js"
import { orNotFound } from "../../kernel/orNotFound.js"
import type { Application } from "../../model/Application.js"
import { type Endpoint, isOfWorkspace } from "../../model/Endpoint.js"
import { webhookBlocker } from "../../resources/events/webhookBlocker.js"
import { requireWebhookScope } from "./requireWebhookScope.js"

/**
 * The application of an endpoint, if it receives webhooks now; null for a subscription of the workspace. Unknown: 404.
 * Without the scope: 403 `forbidden`; suspended: 409 `invalid_transition`.
 */
export const receivingApplication = (
  endpoint: Endpoint,
  application: Application | undefined
): Either.Either<Application | null, Refusal> =>
  isOfWorkspace(endpoint) ? Either.right(null) : Either.flatMap(orNotFound(application), requireReceivesWebhooks)

const requireReceivesWebhooks = (application: Application): Either.Either<Application, Refusal> =>
  webhookBlocker(application) === "application_suspended"
    ? Either.left(refuse("invalid_transition", {}, "The application is suspended and receives no webhooks."))
    : requireWebhookScope(application)
