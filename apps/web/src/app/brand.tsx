import { Link } from 'react-router'
import classes from './brand.module.css'

/** Leads home where there is a home to go to; a visitor's navigation has the links to sign in and register only. */
export function Brand({ isLink }: { isLink: boolean }) {
  const content = (
    <>
      <svg
        className={classes.mark}
        viewBox="0 0 24 24"
        fill="none"
        strokeLinecap="round"
        strokeLinejoin="round"
        aria-hidden
      >
        <rect width="24" height="24" rx="6" fill="var(--tw-accent-fill)" />
        <path d="M5.5 15.2 9.6 10.6l3 2.8 5.6-6.2" stroke="#fff" strokeWidth="2" />
        <path d="M5.5 18.6h13" stroke="#fff" strokeOpacity=".55" strokeWidth="1.4" />
      </svg>
      Tradewright
    </>
  )
  if (!isLink) return <span className={classes.brand}>{content}</span>
  return (
    <Link to="/" className={classes.brand}>
      {content}
    </Link>
  )
}
