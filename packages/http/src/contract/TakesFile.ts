import { Context } from "effect"

/** Annotates an endpoint whose body is a file, which its handler reads from the request as it arrives. */
export class TakesFile extends Context.Tag("@parley/http/TakesFile")<TakesFile, true>() {}
