import { Data } from "effect"

/** A command could not do what it was asked to; `message` says why, for whoever typed it. */
export class CommandFailed extends Data.TaggedError("CommandFailed")<{ readonly message: string }> {}
