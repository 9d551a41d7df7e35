import { normaliseHandle } from "@parley/core"
import { Either } from "effect"

/**
 * The business's own sender: a number in E.164, a short code of 3 to 8 digits, or an alphanumeric sender of 1 to 11
 * letters, digits and spaces with a letter (docs/reference/sms.md#senders).
 */
export const parseSender = (text: string): Either.Either<string, string> =>
  /^[0-9]{3,8}$/.test(text) || (/^[A-Za-z0-9 ]{1,11}$/.test(text) && /[A-Za-z]/.test(text))
    ? Either.right(text)
    : Either.mapLeft(
        normaliseHandle("phone", text),
        () => "must be a number in E.164, a short code, or a sender of at most 11 letters and digits"
      )

/** Whether customers can write to the sender: to a number or a short code, not to an alphanumeric sender. */
export const receivesMessages = (sender: string): boolean => !/[A-Za-z]/.test(sender)
