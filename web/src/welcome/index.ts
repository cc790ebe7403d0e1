// The first day of an account.
export { FirstSteps } from './first-steps.tsx';
export { offerTour, openTour } from './tour.tsx';
