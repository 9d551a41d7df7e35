import { Either } from "effect"
import { type Refusal, refuse } from "../../errors/Refusal.js"
import type { Application } from "../../model/Application.js"

/**
 * The application, if it has the scope for webhooks, else 403 `forbidden`
 * (docs/reference/webhooks.md#registering-an-endpoint).
 */
export const requireWebhookScope = (application: Application): Either.Either<Application, Refusal> =>
  application.scopes.includes("webhooks.receive")
    ? Either.right(application)
    : Either.left(
        refuse(
          "forbidden",
          { required_scope: "webhooks.receive" },
          "The application needs the scope webhooks.receive to receive webhooks."
        )
      )
