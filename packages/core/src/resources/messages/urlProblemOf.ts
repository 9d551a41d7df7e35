import type { HttpSender } from "../../ports/HttpSender.js"
import type { UrlProblem } from "./readContent.js"

/** The rule for the URLs of files; undefined if this host cannot fetch files. */
export const urlProblemOf = ({ get, refusal }: HttpSender): UrlProblem | undefined =>
  get === undefined ? undefined : refusal
