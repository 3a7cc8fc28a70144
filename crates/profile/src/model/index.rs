//! Positions in the tables of a profile.

macro_rules! index {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(pub u32);

        impl $name {
            /// The position in the profile's table.
            #[must_use]
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}

index! {
    /// A method in [`super::Profile::methods`].
    MethodIdx
}
index! {
    /// A frame in [`super::Profile::frames`].
    FrameIdx
}
index! {
    /// A stack in [`super::Profile::stacks`].
    StackIdx
}
index! {
    /// A thread in [`super::Profile::threads`].
    ThreadIdx
}
index! {
    /// A kind of event in [`super::Profile::events`].
    EventIdx
}
