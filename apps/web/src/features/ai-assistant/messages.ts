/** The specification's words. */
export const FAILED = 'Sorry, I encountered an error. Please try again.'
export const EMPTY_REPLY = 'Sorry, I encountered an error processing your request.'
export const ACTION_FAILED = 'Sorry, I encountered an error executing that action.'
export const ACTION_DONE = 'Action completed successfully.'

export const NO_VOICE_INPUT = 'This browser does not support voice input: use Chrome, Edge or Safari.'
export const NO_SPOKEN_REPLIES = 'This browser cannot read replies aloud.'
