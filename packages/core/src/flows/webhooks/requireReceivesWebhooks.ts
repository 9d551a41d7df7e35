import { Either } from "effect"
import { type Refusal, refuse } from "../../errors/Refusal.js"
import type { Application } from "../../model/Application.js"
import { webhookBlocker } from "../../resources/events/webhookBlocker.js"
import { requireWebhookScope } from "./requireWebhookScope.js"

/**
 * The application, if it receives webhooks now. Without the scope: 403 `forbidden`; suspended: 409
 * `invalid_transition`.
 */
export const requireReceivesWebhooks = (application: Application): Either.Either<Application, Refusal> =>
  webhookBlocker(application) === "application_suspended"
    ? Either.left(refuse("invalid_transition", {}, "The application is suspended and receives no webhooks."))
    : requireWebhookScope(application)
