import { Either } from "effect"
import type { Application } from "../../access/Application.js"
import { type Refusal, refuse } from "../../errors/Refusal.js"
import { whyNotSent } from "../../webhooks/whyNotSent.js"
import { mayReceive } from "./mayReceive.js"

/** The application, if it is sent webhooks now: without the scope 403 `forbidden`, suspended 409 `invalid_transition`. */
export const mayBeSent = (application: Application): Either.Either<Application, Refusal> =>
  whyNotSent(application) === "application_suspended"
    ? Either.left(refuse("invalid_transition", {}, "The application is suspended, so that it is sent no webhooks."))
    : mayReceive(application)
