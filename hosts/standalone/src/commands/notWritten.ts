/** The message of a command whose stdout does not take its output. */
export const notWritten = ({ message }: Error): string => `The output could not be written: ${message}`
