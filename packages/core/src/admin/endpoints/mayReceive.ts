import { Either } from "effect"
import type { Application } from "../../access/Application.js"
import { type Refusal, refuse } from "../../errors/Refusal.js"

/** The application, or 403 `forbidden` where it lacks the scope that webhooks need (decisions.md §14). */
export const mayReceive = (application: Application): Either.Either<Application, Refusal> =>
  application.scopes.includes("webhooks.receive")
    ? Either.right(application)
    : Either.left(
        refuse(
          "forbidden",
          { required_scope: "webhooks.receive" },
          "The application needs the scope webhooks.receive to be sent webhooks."
        )
      )
