/** How the program is called, so that what is printed works as pasted. */
export const PROGRAM = 'npm run -s slots --'
