//! What became of a class.

/// Result of [`crate::rewrite`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The class was changed.
    Rewritten {
        /// The new class file.
        bytes: Vec<u8>,
        /// Methods with code, in the order of the file.
        methods: Vec<Method>,
    },
    /// The class must stay as it is.
    LeftAlone {
        /// Why.
        reason: Reason,
    },
}

/// One method with code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Method {
    /// Name, such as `size` or `<init>`.
    pub name: String,
    /// Descriptor of the original, such as `(I)V`.
    pub descriptor: String,
    /// Its id, if its bytecodes are counted; else why they are not.
    pub id: Result<u32, Reason>,
}

/// Why a class or method is not counted.
#[derive(Clone, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum Reason {
    /// The bytes are not a valid class file.
    #[error("not a valid class file: {0}")]
    Malformed(&'static str),
    /// The policy excludes the class.
    #[error("excluded by policy")]
    Excluded,
    /// The class's loader does not find the runtime.
    #[error("its class loader hides the classes that count")]
    HiddenRuntime,
    /// The user left the class's loader out, which is then not asked for the runtime.
    #[error("its class loader is left out, as asked for")]
    LoaderLeftOut,
    /// Annotation interfaces: the JDK checks that their methods have no parameters.
    #[error("an annotation interface")]
    Annotation,
    /// Interfaces compiled for Java 7 or earlier cannot have the methods with bodies that are needed.
    #[error("an interface of a class-file version before Java 8")]
    OldInterface,
    /// The constant pool has no place left.
    #[error("the constant pool is (nearly) full")]
    PoolFull,
    /// The constant pool has no place left for the methods that pass calls of counted code on to the class's own.
    #[error(
        "the constant pool is full, so that counted code calls the methods that the class overrides, not its own"
    )]
    NoBridge,
    /// A table would have more than 65,535 entries.
    #[error("a table or number exceeds 65,535")]
    TooMany,
    /// The rewritten code would exceed the limit of the class-file format.
    #[error("the rewritten code exceeds 65,535 bytes")]
    TooLarge,
    /// With the additional parameters more than 255 slots of parameters were needed.
    #[error("the parameters would take more than 255 slots")]
    TooManySlots,
    /// Subroutines of old class files.
    #[error("uses jsr/ret")]
    Subroutines,
    /// A `long` or `double` lies across the last parameter and the first local variable.
    #[error("a two-slot variable lies across the end of the parameters")]
    Straddles,
    /// The method's first instruction is an exception handler.
    #[error("the method starts with an exception handler")]
    HandlerAtStart,
    /// A conditional branch of more than 32 kB with no place for an island.
    #[error("a branch is too long")]
    FarBranch,
    /// A site cannot be put there.
    #[error("{0}")]
    NoPlace(&'static str),
    /// The JDK treats the method specially (intrinsic, caller sensitive, hidden, native).
    #[error("the JVM treats the method specially")]
    Special,
}
